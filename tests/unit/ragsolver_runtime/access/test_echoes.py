from types import SimpleNamespace

from ragsolver_runtime.access.echoes import is_delivered_echo, is_echo, mark_echoes

ONCE = b"NATS/1.0\r\nNats-Stream: S\r\nNats-Sequence: 1\r\n\r\n"
TWICE = b"NATS/1.0\r\nNats-Sequence: 1\r\nNats-Stream: S\r\nNats-Sequence: 2\r\n\r\n"


async def test_what_a_read_put_somewhere_is_known_when_it_is_read_again():
    async def parse(headers):
        return {"Nats-Sequence": "2"} if headers else None

    client = SimpleNamespace(_process_headers=parse)
    mark_echoes(client)
    assert not is_echo(await client._process_headers(ONCE))
    assert is_echo(await client._process_headers(TWICE))
    assert await client._process_headers(b"") is None
    assert not is_echo(None)


def test_a_consumer_shows_what_is_stored():
    assert is_delivered_echo({"Nats-Stream": "S"})
    assert not is_delivered_echo({"Rs-Run": "r"})
    assert not is_delivered_echo(None)
