import dataclasses

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.errors import NoRecordedAnswerError
from ragsolver_runtime.recorded import Recalled, Said, merged, nothing_recorded, reused
from ragsolver_runtime.wire import CLOSES_HEADER
from suites.consumer_bench import CALL, TRIGGER, Bench, Delivery, failing, one_call


def reserve(call: int, purpose: str = "p") -> LlmReserved:
    return LlmReserved(call=call, agent="a", purpose=purpose)


async def test_a_process_without_recordings_recalls_nothing() -> None:
    assert await nothing_recorded("r1", "p") is None


def test_what_is_reused_says_where_it_was_recorded() -> None:
    source = event(reserve(1))
    assert reused(reserve(1), source) == Said(reserve(1), f"r1/{source.id}")


def test_recalled_payloads_come_first_and_are_not_said_twice() -> None:
    known = Said(reserve(1), "r1/x")
    found = merged([known], [reserve(1, "again"), reserve(2)])
    assert found == [known, Said(reserve(2))]


class Recorded:
    """The port of a replay, with nothing behind it."""

    replay = None

    async def answer(self, kind, key):
        raise AssertionError

    async def case(self):
        raise AssertionError


def replaying(decide, recall):
    """A bench whose run replays another one."""
    bench = Bench(decide, recall=recall)

    async def recorded(run_id, problem_id):
        assert (run_id, problem_id) == ("r1", "add_zero_nat")
        return Recorded()

    context = dataclasses.replace(bench.consumer._context, recorded=recorded)
    bench.consumer._context = context
    return bench


async def test_what_is_recalled_completely_is_not_decided():
    async def recall(case, trigger, recorded):
        return Recalled((Said(CALL, "r0/x"),), complete=True)

    bench = replaying(failing(AssertionError("decided")), recall)
    assert await bench.handle(Delivery()) == ["ack"]
    (_, recalled) = await bench.events()
    assert (recalled.data, recalled.recordedfrom, recalled.causationid) == (
        CALL,
        "r0/x",
        TRIGGER.id,
    )
    assert CLOSES_HEADER in bench.client.js.messages[-1].headers


async def test_the_rest_is_decided_on_a_case_that_knows_what_was_recalled():
    seen = []
    other = CALL.model_copy(update={"call": 2})

    async def recall(case, trigger, recorded):
        return Recalled((Said(CALL, "r0/x"),))

    async def decide(context, case, trigger):
        seen.append(case.llm_calls)
        return [CALL, other]

    bench = replaying(decide, recall)
    assert await bench.handle(Delivery()) == ["ack"]
    (_, *said) = await bench.events()
    assert seen == [1]
    assert [(e.data.call, e.recordedfrom) for e in said] == [(1, "r0/x"), (2, None)]


async def test_outside_a_replay_nothing_is_recalled():
    async def recall(case, trigger, recorded):
        raise AssertionError

    bench = Bench(one_call, recall=recall)
    assert await bench.handle(Delivery()) == ["ack"]
    (_, decided) = await bench.events()
    assert decided.recordedfrom is None


async def test_a_missing_answer_ends_the_problem_and_says_why():
    bench = replaying(failing(NoRecordedAnswerError("no answer to request x")), None)
    assert await bench.handle(Delivery()) == ["ack"]
    (_, ended) = await bench.events()
    assert ended.data == ProblemCancelled(requested_by="replay", reason="no answer to request x")


async def test_a_worker_may_recall_only_what_it_emits():
    async def recall(case, trigger, recorded):
        return Recalled((Said(ProblemSubmitted(problem=problem()), "r0/x"),), complete=True)

    bench = replaying(one_call, recall)
    assert await bench.handle(Delivery()) == ["term"]
    assert "may not emit problem_submitted" in (await bench.failure()).message
