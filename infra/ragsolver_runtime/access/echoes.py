"""Messages that the server itself put on a subject, as the answer to somebody's read.

Whoever may read a stream says where the answer goes, and the server checks no permission for
that: a role could have its own stored words repeated on another role's subject. Such an echo
carries the headers of a direct get in what is stored. Read again by a direct get it carries them
twice, which a client's table of headers hides; so they are counted where they arrive.
"""

from collections.abc import Mapping
from typing import Any

from nats.aio.client import Client

ECHO_HEADER = "Rs-Echo"
"""Put by `mark_echoes` on what was read back and is an echo."""

_OF_THE_SERVER = b"Nats-Sequence:"
_DELIVERED_ECHO = "Nats-Stream"


def mark_echoes(client: Client) -> None:
    """Mark echoes among everything that a connection receives."""
    original = client._process_headers  # noqa: SLF001 - the client has no other place for it

    async def _marked(headers: bytes) -> dict[str, str] | None:
        found = await original(headers)
        if found is not None and bytes(headers).count(_OF_THE_SERVER) > 1:
            found[ECHO_HEADER] = "1"
        return found

    client._process_headers = _marked  # type: ignore[method-assign] # noqa: SLF001


def is_echo(headers: Mapping[str, Any] | None) -> bool:
    """Whether a message read by a direct get is an echo."""
    return ECHO_HEADER in (headers or {})


def is_delivered_echo(headers: Mapping[str, Any] | None) -> bool:
    """Whether a message delivered by a consumer is an echo: it shows what is stored."""
    return _DELIVERED_ECHO in (headers or {})
