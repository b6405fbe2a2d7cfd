"""The questions that the page asks, each with its answer as JSON. All of them only read."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any
from weakref import WeakKeyDictionary

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime.run_children import children_below
from ragsolver_runtime.run_report import problem_detail
from ragsolver_runtime.runs import list_runs
from ragsolver_runtime.web.attempts import candidate_of
from ragsolver_runtime.web.exchanges import exchange_of
from ragsolver_runtime.web.feed import RunFeed
from ragsolver_runtime.web.lag import lags_of
from ragsolver_runtime.web.lines import EventLine, line_of
from ragsolver_runtime.web.problem_page import problem_page
from ragsolver_runtime.web.reports import ReportFolders
from ragsolver_runtime.web.rows import Head, head_of, page_of
from ragsolver_runtime.web.source import BusSource, NoBusError, shown_url
from ragsolver_runtime.web.stream import stream_of
from ragsolver_runtime.wire import StoredEvent

_PATIENCE_S = 2.0
_MOST_ROWS = 500
_MOST_STREAMS = 64


class NotFoundError(Exception):
    """There is no such thing; the message says what was asked for."""


class BadQuestionError(Exception):
    """A parameter is missing or is not a number."""


@dataclass
class Api:
    """The answers.

    Attributes:
        source: the bus.
        reports: folders of evaluations.
        data: data folder, for people to see.
    """

    source: BusSource
    reports: ReportFolders
    data: str
    _streams: set[object] = field(default_factory=set)
    _heads: WeakKeyDictionary[RunFeed, Head] = field(default_factory=WeakKeyDictionary)

    async def state(self, _: Request) -> Any:
        """Which bus is looked at, and which version looks."""
        try:
            bus = self.source.bus
        except NoBusError as error:
            found: dict[str, Any] = {"bus": None, "problem": str(error)}
        else:
            kind = "data folder" if bus.server is not None else "server"
            found = {"bus": shown_url(bus.url), "kind": kind, "connected": bus.client.is_connected}
        return {
            **found,
            "data": self.data,
            "version": version("ragsolver"),
            "reports": len(self.reports.listed()),
        }

    async def runs(self, _: Request) -> Any:
        """Every run, the latest first."""
        found = await list_runs(self.source.bus.reader)
        return [
            {
                "run": run.run_id,
                "started_at": run.started_at.isoformat(),
                "config": run.config,
                "problem_count": run.problem_count,
                "finished": run.ended.model_dump(mode="json") if run.ended else None,
            }
            for run in sorted(found, key=lambda run: run.started_at, reverse=True)
        ]

    async def run(self, request: Request) -> Any:
        """One run without its problems."""
        feed = await self._feed(request)
        kept = self._heads.get(feed)
        if kept is None or (kept.seq, kept.state) != (feed.last, feed.state):
            kept = self._heads[feed] = head_of(feed)
        return kept

    async def problems(self, request: Request) -> Any:
        """A page of a run's problems."""
        asked = request.query_params
        return page_of(
            await self._feed(request),
            only=asked.get("only", ""),
            text=asked.get("text", ""),
            sort=asked.get("sort", "order"),
            offset=number(request, "offset", 0),
            limit=min(number(request, "limit", 100), _MOST_ROWS),
        )

    async def problem(self, request: Request) -> Any:
        """Everything of one problem."""
        feed = await self._feed(request)
        case, stored = await self._case(request)
        below = children_below(feed.view.children.values())
        children = below(case.problem_id)
        return problem_page(case, [s.event for s in stored], children, stored[-1].sequence)

    async def candidate(self, request: Request) -> Any:
        """One candidate with its verdict."""
        case, _ = await self._case(request)
        attempt, candidate = number(request, "attempt"), number(request, "candidate")
        entries = problem_detail(case).candidates
        found = candidate_of(case, entries, attempt, candidate)
        return _there(found, f"candidate {attempt}.{candidate}")

    async def call(self, request: Request) -> Any:
        """One exchange with a language model."""
        _, stored = await self._case(request)
        wanted = number(request, "call")
        return _there(exchange_of([s.event for s in stored], wanted), f"call {wanted}")

    async def events(self, request: Request) -> Any:
        """Events of a run or a problem, the latest first."""
        asked, feed = request.query_params, await self._feed(request)
        name, text = asked.get("name", ""), asked.get("text", "").casefold()
        before = number(request, "before", 0)
        limit = min(number(request, "limit", 100), _MOST_ROWS)
        lines: list[EventLine]
        if asked.get("problem"):
            found = await self.source.bus.reader.stored_of_problem(
                feed.view.run_id, asked["problem"]
            )
            lines = [line_of(item) for item in found]
        else:
            lines = list(feed.lines)
        names = sorted({line.name for line in lines})
        kept = [
            line
            for line in reversed(lines)
            if (not before or line.seq < before)
            and (not name or line.name == name)
            and (not text or text in f"{line.problem} {line.source} {line.text}".casefold())
        ]
        return {
            "names": names,
            "lines": [line.model_dump(mode="json") for line in kept[:limit]],
            "more": len(kept) > limit,
            "total": len(kept),
        }

    async def event(self, request: Request) -> Any:
        """One event as it is stored."""
        feed, sequence = await self._feed(request), number(request, "seq")
        reader = self.source.bus.reader
        async for stored in reader.stored_of_run(feed.view.run_id, after=sequence - 1):
            if stored.sequence == sequence and isinstance(stored, StoredEvent):
                return stored.event.model_dump(mode="json", by_alias=True, exclude_none=True)
            break
        raise NotFoundError(f"no valid event {sequence} in run {feed.view.run_id}")

    async def lag(self, _: Request) -> Any:
        """How far each role is behind."""
        return [lag.model_dump() for lag in await lags_of(self.source.bus.client)]

    async def stream(self, request: Request) -> Response:
        """What happens in a run, as it happens."""
        feed = await self._feed(request)
        if len(self._streams) >= _MOST_STREAMS:
            return JSONResponse({"error": "too many readers at a time"}, status_code=503)
        said = request.headers.get("last-event-id", "")
        after = int(said) if said.isdecimal() else number(request, "after", 0)
        lines = self._counted(stream_of(feed, after, request.query_params.get("problem", "")))
        return StreamingResponse(lines, media_type="text/event-stream")

    async def _counted(self, lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        mark = object()
        self._streams.add(mark)
        try:
            async for line in lines:
                yield line
        finally:
            self._streams.discard(mark)

    async def report_list(self, _: Request) -> Any:
        """Report folders of evaluations."""
        listed = [line.model_dump(mode="json") for line in self.reports.listed()]
        return {"folders": self.reports.roots, "reports": listed}

    async def report(self, request: Request) -> Any:
        """One report."""
        return _there(self.reports.report(parameter(request, "report")), "report")

    async def picture(self, request: Request) -> Response:
        """One plot of a report."""
        wanted, name = parameter(request, "report"), parameter(request, "name")
        body, media_type = _there(self.reports.picture(wanted, name), f"plot {name}")
        # An SVG that is opened by itself may do nothing either.
        policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        headers = {"content-security-policy": policy}
        return Response(body, media_type=media_type, headers=headers)

    async def _feed(self, request: Request) -> RunFeed:
        run_id = parameter(request, "run")
        feed = await self.source.feeds.feed(run_id)
        if feed is None:
            raise NotFoundError(f"no run {run_id!r} on this bus")
        await self.source.feeds.settled(feed, _PATIENCE_S)
        return feed

    async def _case(self, request: Request) -> tuple[Case, list[StoredEvent]]:
        run_id, problem = parameter(request, "run"), parameter(request, "problem")
        reader = self.source.bus.reader
        found = await reader.stored_of_problem(run_id, problem)
        stored = [item for item in found if isinstance(item, StoredEvent)]
        mine = [s for s in stored if s.event.problem_id == problem and s.event.run_id == run_id]
        if not mine:
            raise NotFoundError(f"run {run_id!r} has no problem {problem!r}")
        events: list[AnyEvent] = [item.event for item in mine]
        return Case.fold(run_id, problem, events, await reader.run_config(run_id)), mine


Answer = Callable[[Request], Awaitable[Any]]


def answered(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of an answer: JSON, and errors in words."""

    async def _endpoint(request: Request) -> Response:
        try:
            found = await answer(request)
        except NotFoundError as error:
            return JSONResponse({"error": str(error)}, status_code=404)
        except BadQuestionError as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        except NoBusError as error:
            return JSONResponse({"error": str(error), "bus": False}, status_code=503)
        except TimeoutError as error:
            return JSONResponse({"error": str(error) or "no answer in time"}, status_code=504)
        if isinstance(found, Response):
            return found
        if isinstance(found, BaseModel):
            return Response(found.model_dump_json(), media_type="application/json")
        return JSONResponse(found)

    return _endpoint


def parameter(request: Request, name: str) -> str:
    """A parameter that must be there.

    Raises:
        BadQuestionError: it is not.
    """
    found = request.query_params.get(name, "")
    if not found:
        raise BadQuestionError(f"the parameter {name} is missing")
    return found


def number(request: Request, name: str, default: int | None = None) -> int:
    """A parameter that is a number from 0.

    Raises:
        BadQuestionError: it is none, or missing without a default.
    """
    text = request.query_params.get(name)
    if text is None and default is not None:
        return default
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise BadQuestionError(f"the parameter {name} must be a number")
    return int(text)


def _there(found: Any, what: str) -> Any:
    if found is None:
        raise NotFoundError(f"no such {what}")
    return found
