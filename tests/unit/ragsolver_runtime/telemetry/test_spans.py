import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from meta.house import ROOT
from ragsolver_contracts.events import parse_event
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.testing import event
from ragsolver_runtime.telemetry.spans import Ids, Traced
from ragsolver_runtime.telemetry.watching import Handled, Publication, Published

POSTER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def example(name):
    return parse_event((ROOT / f"contracts/examples/v1/{name}.json").read_text())


SUBMITTED, PLANNED, VERDICT, CALLED, EVIDENCE = map(
    example,
    (
        "problem_submitted",
        "problem_planned",
        "verdict_issued",
        "llm_called",
        "evidence_retrieved",
    ),
)


class Process:
    """What one process tells; its spans are kept."""

    def __init__(self):
        ids = Ids()
        provider = TracerProvider(id_generator=ids, shutdown_on_exit=False)
        self.kept = InMemorySpanExporter()
        provider.add_span_processor(SimpleSpanProcessor(self.kept))
        self.spans = Traced(provider, ids, "anthropic")

    def publish(self, item, outcome=Published.STORED):
        """Publish an event; the event as it is stored."""
        going = Publication(item, outcome, 1)
        with self.spans.publishing(going):
            pass
        return going.event

    def ended(self):
        return {span.name: span for span in self.kept.get_finished_spans()}


def parent_of(span):
    return None if span.parent is None else f"{span.parent.span_id:016x}"


def own(traceparent):
    """Trace and span of a context."""
    return tuple(traceparent.split("-")[1:3])


def test_who_works_on_an_event_continues_its_trace():
    intake, planner = Process(), Process()
    submitted = intake.publish(SUBMITTED)
    with (
        planner.spans.processing("planner", submitted, 1),
        planner.spans.deciding("planner", submitted),
    ):
        planned = planner.publish(PLANNED)
    spans = {**intake.ended(), **planner.ended()}
    prefix = "rs.v1.{}.{{run}}.{{problem}}.{{event}}".format
    process = spans["process " + prefix("problem_submitted")]
    invoke = spans["invoke_agent planner"]
    published = spans["publish " + prefix("problem_planned")]
    assert parent_of(spans["publish " + prefix("problem_submitted")]) is None
    assert parent_of(process) == own(submitted.traceparent)[1]
    assert parent_of(invoke) == f"{process.context.span_id:016x}"
    assert parent_of(published) == f"{invoke.context.span_id:016x}"
    assert own(planned.traceparent)[1] == f"{published.context.span_id:016x}"
    assert {span.context.trace_id for span in spans.values()} == {
        int(own(submitted.traceparent)[0], 16)
    }


def test_an_event_stays_the_same_but_for_its_context():
    stored = Process().publish(SUBMITTED)
    assert stored.traceparent is not None
    assert stored.model_copy(update={"traceparent": SUBMITTED.traceparent}) == SUBMITTED
    assert parse_event(stored.to_json()).id == SUBMITTED.id


def test_an_event_without_context_joins_the_trace_of_its_problem():
    """Two processes that know nothing of each other name the same trace."""
    first = Process().publish(event(SUBMITTED.data))
    second = Process().publish(event(VERDICT.data))
    other = Process().publish(event(SUBMITTED.data, run_id="r2"))
    assert own(first.traceparent)[0] == own(second.traceparent)[0]
    assert own(first.traceparent)[0] != own(other.traceparent)[0]


def test_the_trace_of_a_poster_is_continued():
    intake = Process()
    with intake.spans.taking({"Traceparent": POSTER}):
        submitted = intake.publish(SUBMITTED)
    taken = intake.ended()["process rs.submit"]
    assert parent_of(taken) == own(POSTER)[1]
    assert own(submitted.traceparent)[0] == own(POSTER)[0]


@pytest.mark.parametrize("headers", [{}, {"traceparent": "nonsense"}, {"x": "y"}])
def test_without_a_valid_context_the_problem_begins_the_trace(headers):
    intake = Process()
    with intake.spans.taking(headers):
        intake.publish(SUBMITTED)
    (span,) = intake.kept.get_finished_spans()
    assert span.parent is None


def test_subjects_in_spans_have_names_for_what_differs():
    process = Process()
    with process.spans.processing("critic", VERDICT, 3) as settled:
        settled(Handled.ENDED)
        process.publish(VERDICT)
    for span in process.kept.get_finished_spans():
        assert VERDICT.id not in span.name
        assert span.attributes["messaging.system"] == "nats"
        template = span.attributes["messaging.destination.template"]
        assert template == "rs.v1.verdict_issued.{run}.{problem}.{event}"
        assert span.attributes["ragsolver.problem"] == VERDICT.problem_id
    published, processed = process.kept.get_finished_spans()
    assert (published.kind, processed.kind) == (SpanKind.PRODUCER, SpanKind.CONSUMER)
    assert published.attributes["ragsolver.publish.outcome"] == "stored"
    assert published.attributes["ragsolver.verdict.status"] == VERDICT.data.verdict.status.value
    assert processed.attributes["ragsolver.delivery.outcome"] == "ended"
    assert processed.attributes["ragsolver.delivery.number"] == 3


def test_a_call_of_a_model_is_a_span_of_its_own():
    process = Process()
    with process.spans.deciding("generator", CALLED):
        process.publish(CALLED)
    said = CALLED.data
    spans = process.ended()
    chat = spans[f"chat {said.model}"]
    assert parent_of(chat) == f"{spans['invoke_agent generator'].context.span_id:016x}"
    assert chat.kind is SpanKind.CLIENT
    assert chat.end_time - chat.start_time == pytest.approx(said.latency_ms * 1e6, rel=0.01)
    told = chat.attributes
    assert told["gen_ai.operation.name"] == "chat"
    assert told["gen_ai.provider.name"] == "anthropic"
    assert told["gen_ai.request.model"] == said.model
    assert told["gen_ai.agent.name"] == said.agent
    read = said.input_tokens + said.cache_read_tokens + said.cache_write_tokens
    assert told["gen_ai.usage.input_tokens"] == read
    assert told["gen_ai.usage.output_tokens"] == said.output_tokens
    assert told["gen_ai.response.finish_reasons"] == (said.stop_reason,)


def test_a_failed_call_says_how_and_a_recorded_one_is_none():
    process = Process()
    lost = event(CALLED.data.model_copy(update={"outcome": LlmOutcome.OVERLOADED}))
    process.publish(lost)
    chat = process.ended()[f"chat {CALLED.data.model}"]
    assert chat.attributes["error.type"] == "overloaded"
    assert chat.status.status_code is StatusCode.ERROR
    replay = Process()
    replay.publish(CALLED.model_copy(update={"recordedfrom": "r0/x"}))
    assert not [name for name in replay.ended() if name.startswith("chat")]


def test_no_text_of_prompt_answer_or_error_stands_in_a_span():
    process = Process()
    secret = CALLED.data.model_copy(
        update={
            "response": "UNTOLD",
            "request": {"messages": "UNTOLD"},
            "error": "UNTOLD",
            "parameters": {"system": "UNTOLD", "max_tokens": 10},
        }
    )

    def decide():
        with (
            process.spans.processing("generator", SUBMITTED, 1),
            process.spans.deciding("generator", SUBMITTED),
        ):
            process.publish(event(secret))
            process.publish(EVIDENCE)
            raise ValueError("UNTOLD")

    with pytest.raises(ValueError, match="UNTOLD"):
        decide()
    spans = process.kept.get_finished_spans()
    assert len(spans) == 5
    assert "UNTOLD" not in "".join(span.to_json() for span in spans)
    assert process.ended()["invoke_agent generator"].attributes["error.type"] == "ValueError"


@pytest.mark.parametrize("role", ["retriever", "verifier"])
def test_what_is_no_agent_is_a_tool(role):
    process = Process()
    with process.spans.deciding(role, VERDICT):
        pass
    told = process.ended()[f"execute_tool {role}"].attributes
    assert (told["gen_ai.operation.name"], told["gen_ai.tool.name"]) == ("execute_tool", role)


def test_what_was_not_stored_is_an_error():
    process = Process()
    process.publish(VERDICT, Published.CONFLICT)
    (span,) = process.kept.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
