import json
import shutil

import pytest
from click.testing import CliRunner

from ragsolver_runtime.cli.infra import infra


def run(*arguments):
    return CliRunner().invoke(infra, ["nats-config", *arguments])


def test_what_is_written_is_told_and_no_secret_is(tmp_path):
    done = run("--out", str(tmp_path / "bus"), "--tls", "off", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert set(told["credentials"]) >= {"planner", "verifier", "intake", "client", "operator"}
    seed = (tmp_path / "bus/credentials/verifier.toml").read_text().split('seed = "')[1][:50]
    assert seed not in done.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "how the traffic is protected"),
        (("--tls", "off", "--tls-verify"), "--tls-verify needs the CA"),
        (("--tls", "off", "--cluster-node", "a=b"), "by their certificates"),
        (("--tls", "off", "--cluster-node", "ab"), "write NAME=HOST"),
        (("--tls", "off", "--tls-ca", __file__), "go together"),
        (("--tls", "off", "--cluster-node", "a=b", "--cluster-node", "a=c"), "the same name"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(tmp_path, arguments, said):
    done = run("--out", str(tmp_path / "bus"), *arguments)
    assert done.exit_code == 2
    assert said in done.output


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on this machine")
def test_the_next_step_is_said(tmp_path):
    done = run("--out", str(tmp_path / "bus"), "--tls", "self-signed", "--host", "bus.example")
    assert done.exit_code == 0, done.output
    assert "ragsolver infra provision --creds" in done.output
