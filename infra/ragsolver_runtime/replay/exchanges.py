"""Recorded language-model exchanges: by the hash of the request, under the replay's policy."""

from ragsolver_contracts.answers import AnswerKind, llm_key
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_runtime.errors import NoRecordedAnswerError
from ragsolver_runtime.recorded import RecordedPort


async def recorded_exchange(
    recorded: RecordedPort | None, case: Case, request_hash: str
) -> AnyEvent | None:
    """The `llm_called` event that answers a request; none: make the call.

    A request that was made before in the same problem gets the next recorded answer to it; a
    process of the replay that died used none.

    Args:
        recorded: the replay's recorded answers; none outside a replay.
        case: the problem so far, with every exchange that was made.
        request_hash: hash of the request about to be made.

    Raises:
        NoRecordedAnswerError: the policy is `recorded` and nothing is recorded. No call may
            be made then; the runtime ends the problem and says why.
    """
    if recorded is None or recorded.replay.llm == "live":
        return None
    before = sum(_used_one(event, request_hash) for event in case.events_of(LlmCalled))
    found = await recorded.answer(AnswerKind.LLM, llm_key(request_hash, before))
    if found is None and recorded.replay.llm == "recorded":
        raise NoRecordedAnswerError(
            f"run {recorded.replay.run_id} has no recorded answer to LLM request "
            f"{request_hash[:16]}: allow calls with --llm recorded-then-live"
        )
    return found


def _used_one(event: AnyEvent, request_hash: str) -> bool:
    called = event.data
    if not isinstance(called, LlmCalled) or called.request_hash != request_hash:
        return False
    return called.outcome is not LlmOutcome.LOST or event.recordedfrom is not None
