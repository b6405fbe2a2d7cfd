import asyncio
import json

from ragsolver_runtime.web.stream import stream_of
from suites.web_world import fed


async def read(feed, after: int = 0, problem: str = "", count: int = 10**6) -> list[dict]:
    """Messages until there are some of them or nothing more comes."""
    found: list[dict] = []
    async for chunk in stream_of(feed, after, problem, heartbeat_s=0.05):
        fields = dict(line.split(": ", 1) for line in chunk.decode().splitlines() if line)
        if "event" in fields:
            found.append(fields)
        if len(found) >= count or chunk.startswith(b": "):
            break
    return found


def sequences(messages: list[dict]) -> list[int]:
    return [int(m["id"]) for m in messages if m["event"] == "line"]


async def test_lines_carry_their_place_in_the_stream() -> None:
    feed = fed()
    messages = await read(feed)
    assert messages[0] == {"event": "state", "data": '{"state":"reading"}'}
    assert sequences(messages) == list(range(1, feed.last + 1))
    assert json.loads(messages[1]["data"])["name"] == "run_started"


async def test_a_client_goes_on_where_it_was() -> None:
    feed = fed()
    first = await read(feed, count=8)
    rest = await read(feed, after=sequences(first)[-1])
    assert sequences(first) + sequences(rest) == list(range(1, feed.last + 1))


async def test_events_of_one_problem() -> None:
    messages = await read(fed(), problem="hard")
    lines = [json.loads(m["data"]) for m in messages if m["event"] == "line"]
    assert lines
    assert {line["problem"] for line in lines} == {"hard"}


async def test_silence_is_broken_by_a_comment() -> None:
    chunks = stream_of(fed(), 10**6, heartbeat_s=0.01)
    async with asyncio.timeout(5):
        got = [await anext(chunks) for _ in range(3)]
    assert got[0].startswith(b"retry: ")
    assert got[2].startswith(b": ")


async def test_the_end_of_the_feed_ends_the_stream() -> None:
    feed = fed()
    feed.close()
    assert [chunk async for chunk in stream_of(feed, 0)][-1].startswith(b"event: end")
