"""The commands of the how-to, run as they stand there, give what the deployments look for."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from meta.house import ROOT
from ragsolver_runtime.cli.main import ragsolver
from suites import deployed

HOWTO = (ROOT / "docs" / "howto" / "several-hosts.md").read_text()
BLOCKS = re.findall(r"^```\n(.*?)^```", HOWTO, re.M | re.S)
LINES = [
    line.partition(" #")[0].strip()
    for block in BLOCKS
    for line in block.replace("\\\n", " ").splitlines()
]
COMMANDS = [shlex.split(line)[1:] for line in LINES if line.startswith("ragsolver ")]
COMPOSE, CLUSTER = (c for c in COMMANDS if c[:2] == ["infra", "nats-config"])

pytestmark = pytest.mark.connected


def test_every_command_of_the_howto_is_one() -> None:
    assert len(COMMANDS) >= 5
    assert [fault for command in COMMANDS for fault in deployed.command_faults(command)] == []


def written(command: list[str], folder: Path) -> Path:
    """The folder that `nats-config` wrote."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    arguments = list(command)
    arguments[arguments.index("--out") + 1] = str(folder / "out")
    done = CliRunner().invoke(ragsolver, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return folder / "out"


def test_compose_finds_what_it_mounts(tmp_path: Path) -> None:
    out = written(COMPOSE, tmp_path)
    text = (out / "server" / "server.conf").read_text()
    compose = (ROOT / "infra" / "compose" / "compose.yaml").read_text()
    assert "/etc/nats/server.conf" in compose
    assert '"/etc/nats/server.pem"' in text
    assert (out / "server" / "server.pem").is_file()
    assert 'store_dir: "/data"' in text
    assert "events:/data" in compose
    assert 'http: "0.0.0.0:8222"' in text
    for file in re.findall(r"/(credentials/\w+\.toml)", compose):
        assert (out / file).is_file()


def test_kubernetes_finds_what_it_mounts(tmp_path: Path) -> None:
    out = written(CLUSTER, tmp_path)
    stateful = (ROOT / "infra" / "k8s" / "base" / "nats.yaml").read_text()
    assert "/etc/nats/$(POD).conf" in stateful
    for number in range(3):
        text = (out / "server" / f"nats-{number}.conf").read_text()
        # KEDA asks the stream's leader by its name before the service's.
        assert f'server_name: "nats-{number}"' in text
        assert f'"/etc/nats/nats-{number}.pem"' in text
        assert 'http: "0.0.0.0:8222"' in text
        assert f'listen: "0.0.0.0:{6222}"' in text
        assert 'store_dir: "/data"' in text
    (roles,) = re.findall(r"for role in (.*?); do", HOWTO)
    for role in roles.split():
        assert (out / "credentials" / f"{role}.toml").is_file()
    assert set(roles.split()) == {"operator", "client", *deployed.ROLES}
