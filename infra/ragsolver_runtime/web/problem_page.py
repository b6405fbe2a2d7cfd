"""Everything that the page shows of one problem, from its events."""

from collections.abc import Sequence

from ragsolver_contracts.base import Model
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.lean import Isolation, LeanToolchain
from ragsolver_contracts.report import Proof
from ragsolver_runtime.model_use import CallCounter, ModelTotals
from ragsolver_runtime.run_children import ChildEntry
from ragsolver_runtime.run_report import ProblemEntry, problem_detail
from ragsolver_runtime.web.attempts import Attempt, attempts_of
from ragsolver_runtime.web.exchanges import CallLine, calls_of
from ragsolver_runtime.web.findings import Finding, findings_of
from ragsolver_runtime.web.marked import Cited, Piece, cited_of, proof_pieces
from ragsolver_runtime.web.statements import Statement, statements_of
from ragsolver_runtime.web.steps import Step, steps_of
from ragsolver_runtime.web.timeline import Timeline, timeline_of


class ShownProof(Model):
    """An accepted proof."""

    pieces: tuple[Piece, ...]
    source: str
    """The same as one text, for copying."""
    negated: bool
    strategy: str
    attempt: int
    candidate: int
    axioms: tuple[str, ...]
    constants: tuple[str, ...]
    named: tuple[str, ...]
    tier: str
    mathlib: bool
    toolchain: LeanToolchain
    isolation: Isolation


class ProblemPage(Model):
    """One problem."""

    entry: ProblemEntry
    """Without its report and its children, which stand beside it."""
    informal: str = ""
    hints: tuple[str, ...] = ()
    ancestors: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    proof: ShownProof | None = None
    cited: tuple[Cited, ...] = ()
    retrieved: int = 0
    used: int = 0
    notes: tuple[str, ...] = ()
    children: tuple[ChildEntry, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    findings: tuple[Finding, ...] = ()
    calls: tuple[CallLine, ...] = ()
    totals: ModelTotals = ModelTotals()
    used_calls: int = 0
    """With those of child problems and those that are granted to them."""
    budget: int = 0
    """Calls of language models that it may make."""
    failures: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    timeline: Timeline = Timeline()
    seq: int = 0


def problem_page(
    case: Case, events: Sequence[AnyEvent], children: tuple[ChildEntry, ...], seq: int
) -> ProblemPage:
    """The page of a problem.

    Args:
        case: its fold.
        events: the same events in the order of the stream.
        children: its holes that are problems.
        seq: place in the stream of the last of them.
    """
    detail = problem_detail(case)
    report, problem = detail.entry.report, case.problem
    proof = report.proof if report is not None else None
    cited = cited_of(report.citations, proof.named_in_proof if proof else ()) if report else ()
    counter = CallCounter()
    for event in events:
        counter.apply(event)
    parent = problem.parent if problem is not None else None
    return ProblemPage(
        entry=detail.entry.model_copy(update={"report": None, "children": ()}),
        informal=(problem.informal_statement or "") if problem else "",
        hints=problem.hints if problem else (),
        ancestors=parent.ancestors if parent else (),
        statements=statements_of(case),
        proof=_shown(proof, cited) if proof is not None else None,
        cited=cited,
        retrieved=report.retrieved if report else 0,
        used=report.used if report else 0,
        notes=report.statement_notes if report else (),
        children=children,
        attempts=attempts_of(case, detail.candidates),
        findings=findings_of(case),
        calls=calls_of(events),
        totals=counter.totals,
        used_calls=case.llm_calls,
        budget=parent.llm_calls if parent else case.config.budget.llm_calls,
        failures=detail.failures,
        steps=steps_of(events),
        timeline=timeline_of(events),
        seq=seq,
    )


def _shown(proof: Proof, cited: Sequence[Cited]) -> ShownProof:
    return ShownProof(
        pieces=proof_pieces(proof, cited),
        source=proof.source,
        negated=proof.negated,
        strategy=proof.strategy,
        attempt=proof.attempt,
        candidate=proof.candidate,
        axioms=proof.axioms,
        constants=proof.constants,
        named=proof.named_in_proof,
        tier=proof.tier,
        mathlib=proof.mathlib,
        toolchain=proof.toolchain,
        isolation=proof.isolation,
    )
