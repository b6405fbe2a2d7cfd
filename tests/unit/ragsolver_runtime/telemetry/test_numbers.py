import json

import pytest

from meta.house import ROOT
from ragsolver_contracts.events import PAYLOADS, parse_event
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.testing import event
from ragsolver_runtime.telemetry.exposition import text_of
from ragsolver_runtime.telemetry.numbers import MODELS, Bounded, Counted
from ragsolver_runtime.telemetry.watching import Handled, Publication, Published

EXAMPLES = {
    name: parse_event((ROOT / f"contracts/examples/v1/{name}.json").read_text())
    for name in PAYLOADS
}
CALLED = LlmCalled(
    call=1,
    agent="generator",
    purpose="sketch",
    prompt_id="p/1",
    prompt_hash="h",
    model="m",
    request_hash="h",
    response="",
    stop_reason="end_turn",
    input_tokens=5,
    output_tokens=7,
    cost_usd=0.25,
    latency_ms=1500,
)


def stored(item, outcome=Published.STORED, tries=1):
    return Publication(item, outcome, tries)


def value(numbers, sample):
    found = [line for line in text_of(numbers.registry).splitlines() if line.startswith(sample)]
    assert len(found) <= 1, found
    return float(found[0].rpartition(" ")[2]) if found else None


def series(numbers):
    lines = text_of(numbers.registry).splitlines()
    return {line.rpartition(" ")[0] for line in lines if not line.startswith("#")}


def _everything(numbers, problem):
    """One problem in which every kind of event is published and every trigger is handled."""
    for name, example in EXAMPLES.items():
        item = example.model_copy(
            update={
                "correlationid": f"run-{problem}",
                "entity": f"run-{problem}/{problem}",
                "source": f"critic/host-{problem}",
                "id": problem,
            }
        )
        numbers.begun()
        numbers.folded(len(problem))
        numbers.published(stored(item, tries=2))
        numbers.handled(name, Handled.ACKNOWLEDGED, 0.1)
        numbers.handled(f"unknown_{problem}", Handled.REFUSED, 0.1)
        numbers.lag("critic", 1, 2)


def test_a_thousand_problems_add_no_series():
    numbers = Counted("critic")
    _everything(numbers, "first")
    before = series(numbers)
    for number in range(1000):
        _everything(numbers, f"problem_{number}")
    assert series(numbers) == before
    assert not [line for line in before if "problem_9" in line or "run-" in line]


def test_models_of_foreign_configurations_are_bounded():
    numbers = Counted("generator")
    for number in range(1000):
        said = CALLED.model_copy(update={"model": f"model-{number}"})
        numbers.published(stored(event(said)))
    calls = [line for line in series(numbers) if line.startswith("ragsolver_llm_calls_total{")]
    assert len(calls) == MODELS + 1
    assert value(numbers, 'ragsolver_llm_calls_total{model="other"') == 1000 - MODELS


def test_the_first_values_keep_their_names():
    bounded = Bounded(2)
    assert [bounded.label(name) for name in "abcab"] == ["a", "b", "other", "a", "b"]


def test_deliveries_are_counted_by_trigger_and_outcome():
    numbers = Counted("critic")
    numbers.begun()
    assert value(numbers, 'ragsolver_in_flight{role="critic"}') == 1
    numbers.handled("verdict_issued", Handled.ENDED, 3.0)
    assert value(numbers, 'ragsolver_in_flight{role="critic"}') == 0
    sample = 'ragsolver_deliveries_total{outcome="ended",role="critic",trigger="verdict_issued"}'
    assert value(numbers, sample) == 1
    seconds = 'ragsolver_handling_seconds_sum{role="critic",trigger="verdict_issued"}'
    assert value(numbers, seconds) == 3


@pytest.mark.parametrize("outcome", list(Published))
def test_events_are_counted_by_outcome(outcome):
    numbers = Counted("verifier")
    numbers.published(stored(EXAMPLES["verdict_issued"], outcome, tries=3))
    sample = "ragsolver_published_events_total{"
    assert f'outcome="{outcome.value}"' in next(s for s in series(numbers) if sample in s)
    retries = 'ragsolver_publish_retries_total{role="verifier",type="verdict_issued"}'
    assert value(numbers, retries) == 2


def test_only_what_is_stored_and_new_counts_as_work():
    numbers = Counted("verifier")
    verdict = EXAMPLES["verdict_issued"]
    repeated = verdict.model_copy(update={"recordedfrom": "r0/abc"})
    numbers.published(stored(verdict, Published.DUPLICATE))
    numbers.published(stored(repeated))
    assert value(numbers, "ragsolver_verdicts_total{") is None
    numbers.published(stored(verdict))
    assert value(numbers, "ragsolver_verdicts_total{") == 1
    status = verdict.data.verdict.status.value
    spent = value(numbers, f'ragsolver_check_seconds_sum{{status="{status}"}}')
    assert spent == pytest.approx(verdict.data.verdict.elapsed_ms / 1000)


def test_calls_tell_tokens_cost_and_time():
    numbers = Counted("generator")
    numbers.published(stored(event(CALLED)))
    assert value(numbers, 'ragsolver_llm_tokens_total{kind="output",model="m"}') == 7
    assert value(numbers, 'ragsolver_llm_cost_usd_total{model="m"}') == 0.25
    assert value(numbers, 'ragsolver_llm_seconds_sum{model="m"}') == 1.5


def test_a_lost_call_has_no_time():
    numbers = Counted("generator")
    lost = CALLED.model_copy(update={"outcome": LlmOutcome.LOST})
    numbers.published(stored(event(lost)))
    assert value(numbers, 'ragsolver_llm_calls_total{model="m",outcome="lost"}') == 1
    assert value(numbers, "ragsolver_llm_seconds_count{") is None


def test_ends_of_problems_and_retrievals_are_counted():
    numbers = Counted("critic")
    for name in ("problem_solved", "problem_failed", "problem_cancelled", "evidence_retrieved"):
        numbers.published(stored(EXAMPLES[name]))
    ended = {line for line in series(numbers) if line.startswith("ragsolver_problems_total{")}
    assert {f'ragsolver_problems_total{{outcome="{o}"}}' for o in ("solved", "cancelled")} < ended
    assert len(ended) == 3
    assert value(numbers, "ragsolver_retrieval_seconds_count{") == 1


def test_what_the_process_is_and_what_befell_it():
    numbers = Counted("critic")
    numbers.lag("critic", 5, 2)
    numbers.alarm("permission")
    numbers.restarts("verifier", 3)
    assert value(numbers, 'ragsolver_consumer_pending{durable="critic"}') == 5
    assert value(numbers, 'ragsolver_consumer_ack_pending{durable="critic"}') == 2
    assert value(numbers, 'ragsolver_bus_alarms_total{kind="permission",role="critic"}') == 1
    assert value(numbers, 'ragsolver_worker_restarts{role="verifier"}') == 3
    assert "ragsolver_build_info{" in json.dumps(sorted(series(numbers)))


def test_two_processes_in_one_program_count_apart():
    first, second = Counted("critic"), Counted("critic")
    first.alarm("error")
    assert value(second, "ragsolver_bus_alarms_total{") is None
