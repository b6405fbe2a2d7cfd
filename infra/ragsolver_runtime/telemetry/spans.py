"""Spans for OpenTelemetry: one trace a problem, across all workers.

The context travels in the `traceparent` of every event: whoever works on an event continues its
trace, so the spans of a problem are one tree whose root is its submission, or the poster's own
span. Names follow the conventions for messaging (subjects with names for what differs, never one
subject) and for generative AI. Nothing of a prompt, an answer or a proof stands in a span.

Source: W3C Trace Context; OpenTelemetry semantic conventions, messaging and gen_ai.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import get_args

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from ragsolver_contracts import subjects
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_work import EvidenceRetrieved, VerdictIssued
from ragsolver_contracts.ids import digest
from ragsolver_contracts.llm import Agent, LlmOutcome
from ragsolver_runtime.telemetry.watching import Handled, Publication, Published, Spans

Attributes = dict[str, str | int | float | bool | tuple[str, ...]]

_AGENTS = frozenset(get_args(Agent))
_PROPAGATOR = TraceContextTextMapPropagator()


class Ids(RandomIdGenerator):
    """Random ids, but for the trace of a problem that nobody has begun: its own, always the same.

    So a worker that gets an event without a context joins the trace that the others are on.
    """

    def __init__(self) -> None:
        self._wanted: ContextVar[int] = ContextVar("wanted trace id", default=0)

    def generate_trace_id(self) -> int:
        """The id that the problem has, or a random one."""
        return self._wanted.get() or super().generate_trace_id()

    @contextmanager
    def of(self, event: AnyEvent) -> Iterator[None]:
        """Traces that begin in the block are the problem's."""
        mark = self._wanted.set(int(digest("trace", event.entity)[:32], 16))
        try:
            yield
        finally:
            self._wanted.reset(mark)


class Traced(Spans):
    """Follows problems with a tracer."""

    def __init__(self, provider: TracerProvider, ids: Ids, model_provider: str) -> None:
        """Nothing is followed yet.

        Args:
            provider: of the process, which exports what ends.
            ids: of the provider.
            model_provider: who answers calls of language models.
        """
        self._tracer = provider.get_tracer("ragsolver")
        self._ids = ids
        self._model_provider = model_provider

    @contextmanager
    def taking(self, headers: Mapping[str, str]) -> Iterator[None]:
        """An input is decided; the poster's own trace is continued where it sent one."""
        poster = _PROPAGATOR.extract({k.lower(): text for k, text in headers.items()}, Context())
        if not trace.get_current_span(poster).get_span_context().is_valid:
            yield  # the trace begins with the problem
            return
        attributes = _messaging(subjects.SUBMIT, "process", "process")
        name = f"process {subjects.SUBMIT}"
        with self._span(name, SpanKind.CONSUMER, attributes, poster):
            yield

    @contextmanager
    def processing(
        self, role: str, event: AnyEvent, number: int
    ) -> Iterator[Callable[[Handled], None]]:
        """A delivery is worked off."""
        template = subjects.event_template(event.name)
        attributes = {
            **_messaging(template, "process", "process"),
            **_about(event),
            "messaging.consumer.group.name": role,
            "ragsolver.delivery.number": number,
        }
        with (
            self._ids.of(event),
            self._span(
                f"process {template}", SpanKind.CONSUMER, attributes, _context_of(event)
            ) as span,
        ):
            yield lambda handled: span.set_attribute("ragsolver.delivery.outcome", handled.value)

    @contextmanager
    def deciding(self, role: str, event: AnyEvent) -> Iterator[None]:
        """A worker decides on a trigger: an agent thinks, or a tool runs."""
        is_agent = role in _AGENTS
        operation = "invoke_agent" if is_agent else "execute_tool"
        attributes: Attributes = {
            "gen_ai.operation.name": operation,
            "gen_ai.agent.name" if is_agent else "gen_ai.tool.name": role,
            "gen_ai.conversation.id": event.entity,
        }
        with self._span(f"{operation} {role}", SpanKind.INTERNAL, attributes):
            yield

    @contextmanager
    def publishing(self, publication: Publication) -> Iterator[None]:
        """An event is published; whoever gets it continues from this span."""
        event = publication.event
        here = trace.get_current_span().get_span_context().is_valid
        parent = None if here else _context_of(event)
        template = subjects.event_template(event.name)
        attributes = {
            **_messaging(template, "publish", "send"),
            **_about(event),
            **_facts(event),
        }
        with self._ids.of(event):
            if isinstance(event.data, LlmCalled) and event.recordedfrom is None:
                self._call(event.data, event, parent)
            with self._span(f"publish {template}", SpanKind.PRODUCER, attributes, parent) as span:
                carrier: dict[str, str] = {}
                _PROPAGATOR.inject(carrier)
                publication.event = event.model_copy(update=_kept(carrier))
                yield
                span.set_attribute("ragsolver.publish.outcome", publication.outcome.value)
                span.set_attribute("ragsolver.publish.tries", publication.tries)
                if publication.outcome in (Published.CONFLICT, Published.FAILED):
                    span.set_status(Status(StatusCode.ERROR))

    def _call(self, called: LlmCalled, event: AnyEvent, parent: Context | None) -> None:
        """A call of a model, told once it is over: it lasted until now."""
        ended = time.time_ns()
        span = self._tracer.start_span(
            f"chat {called.model}",
            parent,
            SpanKind.CLIENT,
            {**_gen_ai(called), **_about(event), "gen_ai.provider.name": self._model_provider},
            start_time=ended - int(called.latency_ms * 1e6),
        )
        if called.outcome is not LlmOutcome.ANSWERED:
            span.set_attribute("error.type", called.outcome.value)
            span.set_status(Status(StatusCode.ERROR))
        span.end(ended)

    @contextmanager
    def _span(
        self,
        name: str,
        kind: SpanKind,
        attributes: Attributes,
        parent: Context | None = None,
    ) -> Iterator[Span]:
        """A span for the block; of an error only its class is told, its text may be anybody's."""
        with self._tracer.start_as_current_span(
            name,
            parent,
            kind,
            attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(Status(StatusCode.ERROR))
                raise


def _context_of(event: AnyEvent) -> Context:
    """The context that an event carries; an empty one begins a trace."""
    if event.traceparent is None:
        return Context()
    return _PROPAGATOR.extract({"traceparent": event.traceparent}, Context())


def _kept(carrier: Mapping[str, str]) -> dict[str, str]:
    return {"traceparent": carrier["traceparent"]} if "traceparent" in carrier else {}


def _messaging(template: str, operation: str, kind: str) -> Attributes:
    return {
        "messaging.system": "nats",
        "messaging.operation.name": operation,
        "messaging.operation.type": kind,
        "messaging.destination.template": template,
    }


def _about(event: AnyEvent) -> Attributes:
    """Which problem, and what number of what in it."""
    found: Attributes = {
        "messaging.message.id": event.id,
        "ragsolver.run": event.run_id,
        "ragsolver.problem": event.problem_id,
    }
    for name in ("plan", "attempt", "candidate", "call"):
        if isinstance(number := getattr(event.data, name, None), int):
            found[f"ragsolver.{name}"] = number
    return found


def _facts(event: AnyEvent) -> Attributes:
    """What an event says in figures and words of our own."""
    said = event.data
    if isinstance(said, VerdictIssued):
        found: Attributes = {
            "ragsolver.verdict.status": said.verdict.status.value,
            "ragsolver.verdict.tier": said.verdict.tier,
            "ragsolver.verdict.elapsed_ms": said.verdict.elapsed_ms,
        }
        if said.verdict.reason is not None:
            found["ragsolver.verdict.reason"] = said.verdict.reason.value
        return found
    if isinstance(said, EvidenceRetrieved):
        return {
            "ragsolver.retrieval.mode": said.request.mode,
            "ragsolver.retrieval.hits": len(said.result.hits),
            "ragsolver.retrieval.latency_ms": said.result.trace.latency_ms,
        }
    return {}


def _gen_ai(called: LlmCalled) -> Attributes:
    found: Attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": called.model,
        "gen_ai.agent.name": called.agent,
        # All that was read, from a cache or not, as the convention has it.
        "gen_ai.usage.input_tokens": called.input_tokens
        + called.cache_read_tokens
        + called.cache_write_tokens,
        "gen_ai.usage.output_tokens": called.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": called.cache_read_tokens,
        "gen_ai.usage.cache_creation.input_tokens": called.cache_write_tokens,
        "ragsolver.llm.outcome": called.outcome.value,
        "ragsolver.llm.purpose": called.purpose,
        "ragsolver.llm.prompt": called.prompt_id,
        "ragsolver.llm.retry": called.retry,
        "ragsolver.llm.cost_usd": called.cost_usd,
    }
    if called.stop_reason:
        found["gen_ai.response.finish_reasons"] = (called.stop_reason,)
    for name in ("max_tokens", "temperature", "top_p"):
        if isinstance(value := called.parameters.get(name), int | float):
            found[f"gen_ai.request.{name}"] = value
    return found
