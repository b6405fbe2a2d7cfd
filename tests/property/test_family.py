"""Children in any order of events: their parents hear of them, and they end with them."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemCancelled, ProblemRefused, ProblemSubmitted
from ragsolver_contracts.events_work import ProblemFailed, ProblemSolved
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.report import Outcome, SolutionReport
from ragsolver_contracts.testing import EPOCH, event, problem
from ragsolver_runtime.kinship import ended_ancestor, ends, told_above
from ragsolver_runtime.recorded import Said

LINE = ("p", "p.a1.h1", "p.a1.h1.a2.h2", "p.a1.h1.a2.h2.a1.h1")
"""Each the parent of the next."""


def report(outcome: Outcome) -> SolutionReport:
    return SolutionReport(
        problem_id="p", outcome=outcome, message="m", submitted_at=EPOCH, ended_at=EPOCH
    )


def failed(outcome: Outcome) -> ProblemFailed:
    return ProblemFailed(outcome=outcome, message="m", report=report(outcome))


ENDS = (
    ProblemSolved(report=report(Outcome.SOLVED)),
    failed(Outcome.NOT_PROVED),
    failed(Outcome.STATEMENT_FALSE),
    failed(Outcome.INFRASTRUCTURE),
    ProblemCancelled(requested_by="me"),
    ProblemRefused(reason="statement_error", message="m", input_digest="d"),
)
OTHER = LlmReserved(call=1, agent="critic", purpose="critique")
payloads = st.sampled_from((OTHER, *ENDS))
said_of = st.lists(st.builds(Said, payloads, problem_id=st.sampled_from((None, "q"))), max_size=5)


def child(depth: int) -> Case:
    above = LINE[:depth]
    parent = Parent(problem_id=above[-1], attempt=1, hole_id="h1", ancestors=above, llm_calls=3)
    name = LINE[depth]
    submitted = ProblemSubmitted(problem=problem(name, parent=parent))
    return Case.fold("r1", name, [event(submitted, problem_id=name)])


@given(said=said_of, depth=st.integers(1, 3), used=st.integers(0, 3))
def test_every_end_of_a_child_is_told_above_first(said, depth, used):
    case = child(depth)
    told = told_above(case, said, used)
    words = [item for item in told if isinstance(item.payload, HoleClosed)]
    assert [item for item in told if item not in words] == said
    own = [item for item in said if item.problem_id is None and item.payload in ENDS]
    assert ends(case, said) == bool(own)
    assert len(words) == len(own)
    for place, item in enumerate(told):
        if isinstance(item.payload, HoleClosed):
            assert (item.problem_id, item.payload.llm_calls) == (LINE[depth - 1], used)
            assert told[place + 1] in own


class Reader:
    """The outcomes of problems."""

    def __init__(self, ended):
        self.ended = ended

    async def load_case(self, run_id, name):
        said = [event(ENDS[0], problem_id=name)] if name in self.ended else []
        return Case.fold(run_id, name, said)


@settings(max_examples=40)
@given(ended=st.sets(st.sampled_from((*LINE, "q"))), depth=st.integers(1, 3))
def test_a_child_ends_exactly_with_what_is_above_it(ended, depth):
    over = asyncio.run(ended_ancestor(Reader(ended), child(depth)))
    assert (over is not None) == bool(ended & set(LINE[:depth]))
