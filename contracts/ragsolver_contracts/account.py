"""The account of a problem's calls: what is taken of its budget (behaviour contract `budget`)."""

from collections.abc import Iterable
from dataclasses import dataclass

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_llm import RETURNED, LlmCalled, LlmReserved


@dataclass(frozen=True)
class Account:
    """What is taken, and the number of the next call."""

    taken: int = 0
    """Calls that nobody may make any more: made, being made, granted to a child problem that has
    not ended, or given back to the parent."""
    next_call: int = 1
    returned: int = 0
    """Those of them that were given back to the parent."""

    @property
    def used(self) -> int:
        """Calls that were made, may still be made, or are granted."""
        return self.taken - self.returned


def account(payloads: Iterable[Payload]) -> Account:
    """The account after some payloads of one problem, in any order, with any duplicates.

    Of a grant to a child problem, what the child did not use goes back when it has ended.
    """
    numbers: set[int] = set()
    returned: set[int] = set()
    granted: dict[str, dict[int, int]] = {}
    used: dict[str, int] = {}
    for payload in payloads:
        match payload:
            case LlmReserved(granted_to="", call=call) | LlmCalled(call=call):
                numbers.add(call)
            case LlmReserved(granted_to=whom, call=call, calls=calls):
                numbers.update(range(call, call + calls))
                if whom == RETURNED:
                    returned.update(range(call, call + calls))
                else:
                    granted.setdefault(whom, {})[call] = calls
            case HoleClosed(child_id=child, llm_calls=calls):
                used[child] = calls
    back = sum(
        max(sum(grants.values()) - used[child], 0)
        for child, grants in granted.items()
        if child in used
    )
    return Account(len(numbers) - back, max(numbers, default=0) + 1, len(returned))
