import asyncio
from contextlib import asynccontextmanager

import pytest
from click.testing import CliRunner

from ragsolver_contracts.check import CheckedCandidate, CheckReply
from ragsolver_runtime.ask_check import UnansweredError
from ragsolver_runtime.errors import BusLostError
from ragsolver_verifier import cli_serve, handler
from ragsolver_verifier.cli_serve import ask_command, code_of, serve, serve_command
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from suites.check_server import scripted_checker
from suites.scripted_lean import verdict_on, wrong

URL = ("--nats", "nats://nowhere:1")


def judged(*results):
    return CheckReply(status="judged", results=results)


GOOD = CheckedCandidate(id="a", verdict=verdict_on())
BAD = CheckedCandidate(id="b", verdict=verdict_on(wrong))
GONE = CheckedCandidate(id="c", failure="gone")


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (judged(GOOD), 0),
        (judged(GOOD, BAD), 1),
        (judged(BAD, GONE), 3),
        (CheckReply(status="refused"), 2),
        (CheckReply(status="failed"), 3),
    ],
)
def test_exit_codes(reply, code):
    assert code_of(reply) == code


class Client:
    closed = 0
    max_payload = 10**6

    async def close(self):
        self.closed += 1


@pytest.fixture
def client(monkeypatch):
    """What `connect` gives; `client.lose()` closes the connection for good."""
    found = Client()

    async def connect(settings, name, on_closed=None):
        found.lose = on_closed
        return found

    monkeypatch.setattr(cli_serve, "connect", connect)
    return found


def test_ask_prints_the_reply(client, monkeypatch, tmp_path):
    async def ask(bus, raw, timeout_s):
        assert (bus, raw, timeout_s) == (client, b"{}", 5.0)
        return judged(GOOD)

    monkeypatch.setattr(cli_serve, "ask_check", ask)
    file = tmp_path / "request.json"
    file.write_bytes(b"{}")
    done = CliRunner().invoke(ask_command, [str(file), "--timeout", "5", *URL])
    assert done.exit_code == 0
    assert CheckReply.model_validate_json(done.stdout) == judged(GOOD)
    assert client.closed == 1


def test_want_of_an_answer_is_an_error(client, monkeypatch):
    async def ask(*_):
        raise UnansweredError("nobody")

    monkeypatch.setattr(cli_serve, "ask_check", ask)
    done = CliRunner().invoke(ask_command, ["-", *URL], input=b"{}")
    assert isinstance(done.exception, UnansweredError)
    assert client.closed == 1


async def test_it_serves_until_the_bus_is_lost(client, monkeypatch):
    @asynccontextmanager
    async def opened(_):
        async with scripted_checker() as checker:
            yield checker

    class Server:
        def __init__(self, bus, service):
            assert bus is client
            self.subject = service.subject

        async def __aenter__(self):
            asyncio.get_running_loop().call_soon(client.lose)

        async def __aexit__(self, *_):
            pass

    monkeypatch.setattr(handler, "open_checker", opened)
    monkeypatch.setattr(cli_serve, "RequestServer", Server)
    with pytest.raises(BusLostError):
        await serve("nats://x", VerifierSettings())
    assert client.closed == 1


def test_without_a_toolchain_it_says_what_to_run(client, monkeypatch):
    @asynccontextmanager
    async def missing(_):
        raise ToolchainMissing("run `ragsolver lean install`")
        yield

    monkeypatch.setattr(handler, "open_checker", missing)
    done = CliRunner().invoke(serve_command, [*URL])
    assert done.exit_code == 3
    assert "ragsolver lean install" in done.stderr
