"""The account of a problem's calls: what is taken of its budget (behaviour contract `budget`)."""

from collections.abc import Iterable
from dataclasses import dataclass

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved


@dataclass(frozen=True)
class Account:
    """What is taken, and the number of the next call."""

    taken: int = 0
    """Calls that were made, are being made, or are granted to a child that has not ended."""
    next_call: int = 1


def account(payloads: Iterable[Payload]) -> Account:
    """The account after some payloads of one problem, in any order, with any duplicates.

    Of a grant to a child problem, what the child did not use goes back when it has ended.
    """
    numbers: set[int] = set()
    granted: dict[str, dict[int, int]] = {}
    used: dict[str, int] = {}
    for payload in payloads:
        match payload:
            case LlmReserved(granted_to="", call=call) | LlmCalled(call=call):
                numbers.add(call)
            case LlmReserved(granted_to=child, call=call, calls=calls):
                granted.setdefault(child, {})[call] = calls
                numbers.update(range(call, call + calls))
            case HoleClosed(child_id=child, llm_calls=calls):
                used[child] = calls
    back = sum(
        max(sum(grants.values()) - used[child], 0)
        for child, grants in granted.items()
        if child in used
    )
    return Account(len(numbers) - back, max(numbers, default=0) + 1)
