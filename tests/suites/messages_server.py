"""A local server of the Messages API for tests; `python tests/suites/messages_server.py --help`.

It streams, takes output formats and forced tools, counts every request by its call, and fails in
every way that a server can. Answers come from a script (`ragsolver_runtime.llm.scripted`) whose
lines may say `how`, or are the smallest that satisfy the asked schema.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # started as a program

from ragsolver_contracts.llm import LlmOutcome
from ragsolver_runtime.llm.port import CallId
from ragsolver_runtime.llm.scripted import Script, ScriptLine, read_script
from ragsolver_runtime.llm.smallest import smallest
from suites.messages_http import HttpRequest, Reply, read_request
from suites.messages_stream import CUT, HANG, stream_of

UNSUPPORTED = {"minimum", "maximum", "minLength", "maxLength", "maxItems", "pattern", "default"}
"""Keywords that output formats may not use; a server answers them with status 400."""

STATUS = {
    LlmOutcome.UNAUTHORIZED: (401, "authentication_error", "invalid x-api-key"),
    LlmOutcome.REJECTED: (400, "invalid_request_error", "messages: wrong"),
    LlmOutcome.CONTEXT_OVERFLOW: (
        400,
        "invalid_request_error",
        "prompt is too long: 214000 tokens > 200000 maximum",
    ),
    LlmOutcome.RATE_LIMITED: (429, "rate_limit_error", "this would exceed your rate limit"),
    LlmOutcome.OVERLOADED: (529, "overloaded_error", "Overloaded"),
    LlmOutcome.SERVER_ERROR: (500, "api_error", "Internal server error"),
}
"""Status, type and message of what is refused before a stream begins."""


class ServerLine(ScriptLine):
    """A line of a script that may also say how it is served.

    `how`: `in_stream` (an error event instead of a status), `stop_reason` (a context overflow
    that is found out while answering), `before` (the connection is cut or silent before any
    answer), `garbage` (a stream that is none), `shape`
    (events without their parts), `html` (another kind of server), `redirect`,
    `echo_key` (the error repeats the key), `whole_tool` (the tool's input at once).
    """

    how: str = ""
    status: int | None = None
    pieces: int = 8
    """Deltas in which the answer comes."""


@dataclass
class Seen:
    """One request as it came."""

    call: str
    """`run/problem/call`, or empty."""
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class MessagesServer:
    """What the server knows; open one with `messages_server`."""

    script: Script | None = None
    key: str | None = None
    """A request without this key is refused; none: any is good."""
    delay_s: float = 0.0
    keep: bool = True
    """Whether requests are kept in `seen`."""
    url: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    """Requests of each `run/problem/call` that were received whole."""
    seen: list[Seen] = field(default_factory=list)
    closed_early: int = 0
    """Connections that a client closed while an answer was on its way."""
    in_flight: int = 0
    most_in_flight: int = 0
    waiting: Counter[int] = field(default_factory=Counter)
    """Requests that are being answered, by the client's port."""
    _cached: set[str] = field(default_factory=set)
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def total(self) -> int:
        """Requests that were received whole."""
        return self.counts.total()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        self._open.add(writer)
        try:
            while (request := await read_request(reader)) is not None:
                if not await self._answer(request, Reply(reader, writer)):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            self.closed_early += 1
        finally:
            self._open.discard(writer)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(self, request: HttpRequest, reply: Reply) -> bool:
        """Answers one request; whether the connection may be used again."""
        if (request.method, request.path) == ("GET", "/counts"):
            waiting = [port for port, count in self.waiting.items() if count]
            told = {"total": self.total, "calls": dict(self.counts), "waiting": waiting}
            await reply.json(200, told)
            return True
        if (request.method, request.path) != ("POST", "/v1/messages"):
            await reply.error(404, "not_found_error", f"no {request.method} {request.path}")
            return True
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        port = reply.writer.get_extra_info("peername")[1]
        self.waiting[port] += 1
        try:
            return await self._message(request, reply)
        finally:
            self.in_flight -= 1
            self.waiting[port] -= 1

    async def _message(self, request: HttpRequest, reply: Reply) -> bool:
        asked = json.loads(request.body)
        call = call_of(asked)
        name = f"{call.run_id}/{call.problem_id}/{call.call}" if call else ""
        self.counts[name] += 1
        if self.keep:
            self.seen.append(Seen(name, request.headers, asked))
        wrong = self._refusal(request, asked)
        if wrong is not None:
            await reply.error(*wrong)
            return True
        line = self._line(call, asked)
        await reply.pause(self.delay_s + line.after_s)
        return await self._say(line, request, asked, reply)

    def _refusal(self, request: HttpRequest, asked: dict[str, Any]) -> tuple[int, str, str] | None:
        given = request.headers.get("x-api-key") or request.headers.get("authorization", "")
        if self.key is not None and given.removeprefix("Bearer ") != self.key:
            return (401, "authentication_error", f"invalid x-api-key {given}")
        if not asked.get("stream"):
            return (400, "invalid_request_error", "stream: this server only streams")
        schema = asked.get("output_config", {}).get("format", {}).get("schema")
        unsupported = sorted(UNSUPPORTED & set(keywords(schema)))
        if unsupported:
            said = f"output_config.format.schema: {unsupported[0]} is not supported"
            return (400, "invalid_request_error", said)
        return None

    def _line(self, call: CallId | None, asked: dict[str, Any]) -> ServerLine:
        if self.script is not None and call is not None:
            line = self.script.line(call)
            if line is not None:
                return ServerLine.model_validate(line.model_dump())
            return ServerLine(fail=LlmOutcome.REJECTED, how="no line in the script")
        schema = schema_of(asked)
        return ServerLine(text="echo" if schema is None else json.dumps(smallest(schema)))

    async def _say(
        self, line: ServerLine, request: HttpRequest, asked: dict[str, Any], reply: Reply
    ) -> bool:
        if line.how == "html":
            await reply.send(200, "text/html", b"<html>a page</html>")
            return True
        if line.how == "redirect":
            await reply.send(
                307, "text/plain", b"", {"location": "http://127.0.0.1:9/v1/messages"}
            )
            return True
        if line.how == "before":
            if line.fail is LlmOutcome.STALLED:
                await reply.until_closed()
            reply.cut()
            return False
        if line.fail in STATUS and line.how not in {"in_stream", "stop_reason"}:
            await self._refuse(line, request, reply)
            return True
        usage = self._usage(asked, line)
        await reply.begin_stream()
        for piece in stream_of(line, asked, usage, STATUS.get(line.fail) if line.fail else None):
            if piece is CUT:
                reply.cut()
                return False
            if piece is HANG:
                await reply.until_closed()
                self.closed_early += 1
                return False
            await reply.chunk(piece)
        await reply.end_stream()
        return True

    async def _refuse(self, line: ServerLine, request: HttpRequest, reply: Reply) -> None:
        assert line.fail is not None
        status, kind, message = STATUS[line.fail]
        headers = {}
        if line.retry_after_s is not None:
            headers["retry-after"] = f"{line.retry_after_s:g}"
        if line.how == "echo_key":
            message += f" {request.headers}"
            headers["request-id"] = str(request.headers.get("authorization"))
        await reply.error(line.status or status, kind, message, headers)

    def _usage(self, asked: dict[str, Any], line: ServerLine) -> dict[str, int]:
        """Words as tokens; a prefix up to a `cache_control` is written once and then read."""
        if line.usage.output_tokens:
            return {
                "input_tokens": line.usage.input_tokens,
                "cache_read_input_tokens": line.usage.cache_read_tokens,
                "cache_creation_input_tokens": line.usage.cache_write_tokens,
                "output_tokens": line.usage.output_tokens,
            }
        blocks = [*asked.get("system", []), *(b for m in asked["messages"] for b in m["content"])]
        marked = [number for number, block in enumerate(blocks, 1) if "cache_control" in block]
        prefix = words(blocks[: marked[-1]] if marked else [])
        known = " ".join(prefix) in self._cached
        self._cached.add(" ".join(prefix))
        return {
            "input_tokens": len(words(blocks)) - len(prefix),
            "cache_read_input_tokens": len(prefix) if known else 0,
            "cache_creation_input_tokens": 0 if known else len(prefix),
            "output_tokens": max(len(line.said().split()), 1),
        }

    async def close(self) -> None:
        """Breaks what is still open, and waits until it is seen."""
        for writer in list(self._open):
            writer.transport.abort()
        while self._open:  # noqa: ASYNC110 - only here
            await asyncio.sleep(0.001)


def call_of(asked: dict[str, Any]) -> CallId | None:
    """The call that a request names in `metadata.user_id`."""
    parts = str(asked.get("metadata", {}).get("user_id", "")).split("/")
    if len(parts) != 6:
        return None
    run, problem, call, agent, purpose, turn = parts
    return CallId(run, problem, int(call), agent, purpose, int(turn))  # type: ignore[arg-type]


def schema_of(asked: dict[str, Any]) -> dict[str, Any] | None:
    """The schema that the answer is to satisfy."""
    if asked.get("tool_choice", {}).get("type") == "tool":
        return asked["tools"][0]["input_schema"]
    return asked.get("output_config", {}).get("format", {}).get("schema")


def keywords(schema: Any) -> Iterable[str]:
    """Every keyword of a schema; names of properties are none."""
    if isinstance(schema, list):
        for item in schema:
            yield from keywords(item)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            yield key
            named = key in {"properties", "$defs"} and isinstance(value, dict)
            yield from keywords(list(value.values()) if named else value)


def words(blocks: list[dict[str, Any]]) -> list[str]:
    """What stands for tokens."""
    return [word for block in blocks for word in block.get("text", "an image").split()]


@asynccontextmanager
async def messages_server(
    lines: Iterable[ServerLine] | None = None, *, port: int = 0, **settings: Any
) -> AsyncIterator[MessagesServer]:
    """A server on a loopback port, inside the block.

    Args:
        lines: its answers; none: the smallest that satisfies each schema.
        port: 0 for a free one.
        settings: fields of `MessagesServer`.
    """
    script = settings.pop("script", None) or (Script(lines) if lines is not None else None)
    state = MessagesServer(script=script, **settings)
    server = await asyncio.start_server(state.serve, "127.0.0.1", port, limit=2**20)
    state.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield state
    finally:
        server.close()
        await state.close()
        await server.wait_closed()


async def _run(arguments: argparse.Namespace) -> None:
    script = read_script(arguments.script, ServerLine) if arguments.script else None
    async with messages_server(
        script=script,
        port=arguments.port,
        key=arguments.key,
        delay_s=arguments.delay,
        keep=False,
    ) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description="A local Messages API. Prints its URL; GET /counts tells what was asked."
    )
    parser.add_argument("--script", help="answers, JSON lines; none: echoes the schema")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--key", help="refuse requests without this key")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    with suppress(KeyboardInterrupt):
        asyncio.run(_run(parser.parse_args()))
