import asyncio

import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.telemetry.endpoint import Endpoint, Page, ask


async def _page():
    return Page(200, "ä\n")


async def _wrong():
    return Page(503, "not well\n")


ENDPOINT = {"/metrics": _page, "/healthz": _wrong}


async def _say(port, raw):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(raw)
    await writer.drain()
    whole = await reader.read()
    writer.close()
    head, _, body = whole.partition(b"\r\n\r\n")
    return head.decode(), body.decode()


async def test_pages_are_answered_on_a_port():
    async with Endpoint(ENDPOINT).on_port("127.0.0.1", 0) as port:
        head, body = await _say(port, b"GET /metrics?x=1 HTTP/1.1\r\nHost: x\r\n\r\n")
        assert head.startswith("HTTP/1.1 200 OK")
        assert "Content-Length: 3" in head
        assert body == "ä\n"
        assert (await _say(port, b"GET /healthz HTTP/1.0\r\n\r\n"))[0].startswith("HTTP/1.1 503")
        head, body = await _say(port, b"HEAD /metrics HTTP/1.1\r\n\r\n")
        assert (head.split()[1], body) == ("200", "")


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "404"),
        (b"GET /metrics/../etc HTTP/1.1\r\n\r\n", "404"),
        (b"POST /metrics HTTP/1.1\r\n\r\n", "405"),
    ],
)
async def test_anything_else_is_refused(raw, status):
    async with Endpoint(ENDPOINT).on_port("127.0.0.1", 0) as port:
        assert (await _say(port, raw))[0].split()[1] == status


async def test_nonsense_does_not_stop_it():
    async with Endpoint(ENDPOINT).on_port("127.0.0.1", 0) as port:
        assert await _say(port, b"\r\n\r\n") == ("", "")
        assert await _say(port, b"x" * 20_000) == ("", "")
        assert (await _say(port, b"GET /metrics HTTP/1.1\r\n\r\n"))[1] == "ä\n"


async def test_a_taken_port_is_told_with_what_to_do():
    async with Endpoint(ENDPOINT).on_port("127.0.0.1", 0) as port:
        with pytest.raises(ConfigError, match=f"{port}.*choose another --metrics-port"):
            async with Endpoint(ENDPOINT).on_port("127.0.0.1", port):
                pass


async def test_pages_are_answered_on_a_socket_file(tmp_path):
    path = tmp_path / "one.sock"
    for _ in range(2):  # the file of a process that was killed is in nobody's way
        async with Endpoint(ENDPOINT).on_socket(path):
            assert await ask(path, "/metrics") == Page(200, "ä\n")
            assert await ask(path, "/healthz") == Page(503, "not well\n")
    with pytest.raises((FileNotFoundError, ConnectionRefusedError)):
        await ask(path, "/metrics")


async def test_a_socket_that_cannot_be_made_is_told(tmp_path):
    with pytest.raises(ConfigError, match="cannot be served on socket"):
        async with Endpoint(ENDPOINT).on_socket(tmp_path / "none" / "one.sock"):
            pass
