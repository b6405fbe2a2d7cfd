import pytest

from ragsolver_contracts.llm import Block, LlmOutcome, LlmRequest, Message

REQUEST = LlmRequest(
    model="m", max_tokens=10, messages=(Message(role="user", content=(Block(text="hi"),)),)
)


def test_the_hash_is_of_everything_that_is_asked() -> None:
    assert REQUEST.request_hash == REQUEST.model_copy().request_hash
    changes: list[dict[str, object]] = [
        {"model": "n"},
        {"max_tokens": 11},
        {"parameters": {"temperature": 0}},
        {"system": (Block(text="s"),)},
        {"answer_schema": {"type": "object"}},
    ]
    hashes = {REQUEST.model_copy(update=change).request_hash for change in changes}
    assert len(hashes) == len(changes)
    assert REQUEST.request_hash not in hashes


@pytest.mark.parametrize("outcome", list(LlmOutcome))
def test_only_what_passes_is_worth_the_same_request_again(outcome: LlmOutcome) -> None:
    lasting = {"answered", "refused", "truncated", "invalid", "context_overflow"}
    lasting |= {"unauthorized", "rejected"}
    assert outcome.passes == (outcome.value not in lasting)
