"""What must hold of calls of a language model in any honest trace."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ragsolver_contracts.account import account
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_llm import RETURNED, LlmCalled, LlmReserved
from ragsolver_runtime.breach import Breach
from ragsolver_runtime.budget import cap_of


def call_breaches(case: Case) -> Iterator[Breach]:
    """Every rule on calls that the events of one problem break."""
    taken, cap = account(event.data for event in case.events.values()).taken, cap_of(case)
    parent = case.problem.parent if case.problem is not None else None
    if taken > cap:
        whose = "the budget" if parent is None else f"the grant of {parent.problem_id}"
        yield Breach("budget", f"{taken} LLM calls, {whose} is {cap}")
    yield from _numbers(case)
    yield from _reserved(case)
    yield from _overlaps(case)
    yield from _grants(case)


def order_breaches(events: Iterable[AnyEvent]) -> Iterator[Breach]:
    """Exchanges that come before their reservation.

    Args:
        events: of one problem, in the order of the stream.
    """
    early: dict[int, AnyEvent] = {}
    for event in events:
        match event.data:
            case LlmCalled(call=call):
                early.setdefault(call, event)
            case LlmReserved(call=call) if call in early:
                said = f"LLM call {call} was made before it was reserved"
                yield Breach("order", said, early[call].id)
            case _:
                pass


@dataclass
class FamilyAccounts:
    """Child problems are holes that their parents split, with no more calls than these granted."""

    _granted: Counter[str] = field(default_factory=Counter)
    _allowed: dict[str, int] = field(default_factory=dict)
    _split: set[tuple[str, str, str]] = field(default_factory=set)
    """Parent, child and statement, as the parents say."""
    _children: set[tuple[str, str, str]] = field(default_factory=set)
    """The same, as the children say."""

    def look(self, case: Case) -> None:
        """Note what one problem grants, and what it may spend."""
        for reserved in case.payloads(LlmReserved):
            if reserved.granted_to not in {"", RETURNED}:
                self._granted[reserved.granted_to] += reserved.calls
        for item in (child for d in case.decompositions.values() for child in d.children):
            self._split.add((case.problem_id, item.problem_id, item.formal_statement))
        problem = case.problem
        if problem is not None and problem.parent is not None:
            self._allowed[case.problem_id] = problem.parent.llm_calls
            said = (problem.parent.problem_id, case.problem_id, problem.formal_statement or "")
            self._children.add(said)

    def breaches(self) -> Iterator[Breach]:
        """Every child that no parent split off, or that may make more calls than granted."""
        for parent, child, _ in sorted(self._children - self._split):
            yield Breach("gap", f"{child} is no hole of {parent} as it says")
        for child, allowed in sorted(self._allowed.items()):
            if allowed > self._granted[child]:
                said = f"{child} may make {allowed} LLM calls, granted are {self._granted[child]}"
                yield Breach("budget", said)


def _numbers(case: Case) -> Iterator[Breach]:
    numbers = {n for p in case.payloads(LlmReserved) for n in range(p.call, p.call + p.calls)}
    numbers |= {p.call for p in case.payloads(LlmCalled)}
    missing = sorted(set(range(1, max(numbers, default=0) + 1)) - numbers)
    if missing:
        yield Breach("gap", f"LLM call {missing[0]} is missing")


def _reserved(case: Case) -> Iterator[Breach]:
    """Every exchange was reserved by the same delivery, agent and purpose."""
    reserved = {
        event.data.call: (event.data.agent, event.data.purpose, event.causationid)
        for event in case.events_of(LlmReserved)
        if isinstance(event.data, LlmReserved) and not event.data.granted_to
    }
    for event in case.events_of(LlmCalled):
        called = event.data
        assert isinstance(called, LlmCalled)  # noqa: S101 - asked for by its class
        if called.call not in reserved:
            yield Breach("budget", f"LLM call {called.call} was never reserved", event.id)
        elif reserved[called.call] != (called.agent, called.purpose, event.causationid):
            said = f"LLM call {called.call} was reserved for something else"
            yield Breach("budget", said, event.id)


def _overlaps(case: Case) -> Iterator[Breach]:
    seen: set[int] = set()
    for event in case.events_of(LlmReserved):
        data = event.data
        assert isinstance(data, LlmReserved)  # noqa: S101 - asked for by its class
        numbers = set(range(data.call, data.call + data.calls))
        if numbers & seen:
            said = f"LLM call {min(numbers & seen)} was reserved twice"
            yield Breach("budget", said, event.id)
        seen |= numbers


def _grants(case: Case) -> Iterator[Breach]:
    """A child problem uses no more than its grant."""
    granted: Counter[str] = Counter()
    for reserved in case.payloads(LlmReserved):
        granted[reserved.granted_to] += reserved.calls
    for event in case.events_of(HoleClosed):
        closed = event.data
        assert isinstance(closed, HoleClosed)  # noqa: S101 - asked for by its class
        had = granted[closed.child_id]
        if closed.llm_calls > had:
            said = f"{closed.child_id} used {closed.llm_calls} LLM calls, granted were {had}"
            yield Breach("budget", said, event.id)
