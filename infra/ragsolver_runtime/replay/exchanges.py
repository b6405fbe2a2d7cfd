"""Recorded language-model exchanges: by the hash of the request, under the replay's policy."""

from ragsolver_contracts.answers import AnswerKind, llm_key
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_runtime.errors import NoRecordedAnswerError
from ragsolver_runtime.recorded import RecordedPort


async def recorded_exchange(
    recorded: RecordedPort | None, case: Case, request_hash: str
) -> AnyEvent | None:
    """The `llm_called` event that answers a request; none: make the call.

    A request that was made before in the same problem gets the next recorded answer to it.

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
    before = sum(call.request_hash == request_hash for call in case.payloads(LlmCalled))
    found = await recorded.answer(AnswerKind.LLM, llm_key(request_hash, before))
    if found is None and recorded.replay.llm == "recorded":
        raise NoRecordedAnswerError(
            f"run {recorded.replay.run_id} has no recorded answer to LLM request "
            f"{request_hash[:16]}: allow calls with --llm recorded-then-live"
        )
    return found
