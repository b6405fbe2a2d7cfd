import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.testing import event
from ragsolver_runtime.errors import NoRecordedAnswerError
from ragsolver_runtime.replay.exchanges import recorded_exchange
from suites.replayed_world import Recording


def called(number: int) -> LlmCalled:
    return LlmCalled(
        call=number,
        agent="planner",
        purpose="plan",
        prompt_id="p",
        prompt_hash="h",
        model="m",
        request_hash="same",
        response=f"answer {number}",
        stop_reason="end_turn",
    )


OLD = Case.fold("r1", "p", [event(called(n), problem_id="p") for n in (1, 2)])
EMPTY = Case("r2", "p")


async def test_outside_a_replay_calls_are_made() -> None:
    assert await recorded_exchange(None, EMPTY, "same") is None


async def test_the_same_request_gets_its_answers_in_order() -> None:
    recording = Recording.of([OLD])
    first = await recorded_exchange(recording, EMPTY, "same")
    assert first is not None
    assert first.data == called(1)
    after = Case.fold("r2", "p", [event(called(1), run_id="r2", problem_id="p")])
    second = await recorded_exchange(recording, after, "same")
    assert second is not None
    assert second.data == called(2)


async def test_live_uses_nothing_that_is_recorded() -> None:
    assert await recorded_exchange(Recording.of([OLD], llm="live"), EMPTY, "same") is None


async def test_a_missing_answer_is_called_for_only_where_that_is_allowed() -> None:
    allowed = Recording.of([OLD], llm="recorded-then-live")
    assert await recorded_exchange(allowed, EMPTY, "other") is None
    assert await recorded_exchange(allowed, EMPTY, "same") is not None
    with pytest.raises(NoRecordedAnswerError, match="recorded-then-live"):
        await recorded_exchange(Recording.of([OLD]), EMPTY, "other")


async def test_a_lost_call_of_the_replay_itself_used_no_answer() -> None:
    recording = Recording.of([OLD])
    lost = called(1).model_copy(update={"outcome": LlmOutcome.LOST, "response": ""})
    after = Case.fold("r2", "p", [event(lost, run_id="r2", problem_id="p")])
    found = await recorded_exchange(recording, after, "same")
    assert found is not None
    assert found.data == called(1)
