"""Server-sent events of one run: what is stored after a place, then what comes.

A client that lost its connection says where it was (`Last-Event-ID` is a sequence of the stream)
and misses nothing. What a client does not take is not read for it: the socket fills up, and the
reader waits.
"""

import asyncio
import json
from collections.abc import AsyncIterator

from ragsolver_runtime.web.feed import RunFeed

HEARTBEAT_S = 15.0
RETRY_MS = 1500


async def stream_of(
    feed: RunFeed, after: int, problem: str = "", heartbeat_s: float = HEARTBEAT_S
) -> AsyncIterator[bytes]:
    """The text of the stream, until the feed ends.

    Args:
        feed: the run.
        after: sequence of the last event that the client has.
        problem: only events of this problem; empty for all.
        heartbeat_s: seconds of silence after which a comment is sent.
    """
    yield f"retry: {RETRY_MS}\n\n".encode()
    state = None
    while not feed.closed:
        if feed.state is not state:
            state = feed.state
            yield _message("state", {"state": state.value})
        async for line in feed.after(after):
            after = line.seq
            if not problem or line.problem == problem:
                yield _message("line", line.model_dump(mode="json"), after)
        try:
            async with asyncio.timeout(heartbeat_s):
                await feed.wait(after, state)
        except TimeoutError:
            yield b": still here\n\n"
    yield _message("end", {})


def _message(name: str, data: object, sequence: int | None = None) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    mark = f"id: {sequence}\n" if sequence is not None else ""
    return f"{mark}event: {name}\ndata: {text}\n\n".encode()
