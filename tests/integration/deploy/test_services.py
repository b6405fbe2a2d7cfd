"""The services of compose.yaml as processes of this machine: each with its own credentials.

Everything but the container is as the file says: command lines, settings, users, probes. The
workers are simulated; the server, its users and TLS are real.
"""

import http.client
import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from integration.deploy.test_compose import FOLDER, read
from ragsolver_runtime.server import server_binary
from suites import deployed
from suites.programs import program
from suites.simulated_house import House, outcomes, wait_for

pytestmark = [pytest.mark.connected, pytest.mark.timeout(180)]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    for tool in ("docker-compose", "openssl"):
        if program(tool) is None:
            pytest.skip(f"{tool} is not installed")
    model = read(FOLDER)
    assert isinstance(model, dict), model
    found: dict[str, Any] = model["services"]
    return found


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "house")


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]


@pytest.fixture
def bus(house: House) -> Iterator[Path]:
    """Folder with the credentials of a real server with users."""
    port, monitor = free_ports(2)
    out = house.root / "bus"
    made = house.run(
        *("infra", "nats-config", "--out", str(out), "--host", "127.0.0.1"),
        *("--tls", "self-signed", "--port", str(port), "--monitor", f"127.0.0.1:{monitor}"),
    )
    assert made.returncode == 0, made.stderr.decode()
    with (house.root / "server.log").open("wb") as log:
        command = [str(server_binary()), "-c", str(out / "server" / "server.conf")]
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        # The health check of the service `nats`.
        wait_for(lambda: asked(monitor, "/healthz") == 200)
        yield out / "credentials"
    finally:
        server.terminate()
        server.wait(20)


def asked(port: int, path: str) -> int:
    """What is answered; 0 for nothing."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=4)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def words(service: dict[str, Any], credentials: Path) -> list[str]:
    """The command of a service, with its credentials where they are here."""
    *command, mounted = service["command"]
    return [*command, str(credentials / f"{Path(mounted).name}.toml")]


def test_the_services_start_with_their_own_credentials_and_solve(
    house: House, bus: Path, services: dict[str, Any]
) -> None:
    setup = house.run(*words(services["setup"], bus))
    assert setup.returncode == 0, setup.stderr.decode()
    ports = dict(zip(deployed.ROLES, free_ports(len(deployed.ROLES)), strict=True))
    logs, running = {}, {}
    try:
        for role, port in ports.items():
            own = services[role]["environment"] | {
                "RAGSOLVER_TELEMETRY__METRICS_PORT": str(port),
                "RAGSOLVER_TELEMETRY__METRICS_HOST": "127.0.0.1",
            }
            logs[role] = house.root / f"{role}.log"
            with logs[role].open("wb") as log:
                running[role] = subprocess.Popen(
                    house.command(*words(services[role], bus)),
                    env={**house.env, **own},
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
        for role, port in ports.items():
            wait_for(lambda port=port: asked(port, "/healthz") == 200, 90)
            assert asked(port, "/metrics") == 200, role
        file = house.problems("True", "False", "ℝ")
        client = words({"command": ["solve", str(file), "--creds", "/run/secrets/client"]}, bus)
        done = house.run(*client, "--no-workers", "--no-recheck", "--json", *house.config)
        assert done.returncode == 1, done.stderr.decode()
        found = outcomes(json.loads(done.stdout))
        assert found == {"p1": "solved", "p2": "not_proved", "p3": "refused"}
    finally:
        for child in running.values():
            os.killpg(child.pid, signal.SIGTERM)
        codes = {role: child.wait(40) for role, child in running.items()}
    said = {role: log.read_text() for role, log in logs.items()}
    assert set(codes.values()) == {0}, said
    # Nobody was refused anything, the verifier not the look at the others' backlogs.
    assert not [role for role, text in said.items() if "ermission" in text or "held back" in text]
