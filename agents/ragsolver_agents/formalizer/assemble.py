"""A sketch whose holes are solved, as proofs: with the holes' theorems before it, and inlined."""

from collections.abc import Callable, Sequence

from ragsolver_agents.attempts import latest_attempt
from ragsolver_agents.holes import Stated, applied, spliced, stated
from ragsolver_contracts.candidate import CandidateText, CheckLimits
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_family import ChildProblem, HoleClosed
from ragsolver_contracts.events_work import CandidateProposed
from ragsolver_contracts.report import Outcome

LEMMA = "llm/assembled/lemma"
"""Every hole's theorem stands before the statement, and is applied in its hole."""
INLINE = "llm/assembled/inline"
"""Every hole's proof stands in its hole."""


def assembled(
    case: Case, closed: HoleClosed, limits: Callable[[], CheckLimits]
) -> list[CandidateProposed]:
    """Proofs for the attempt, once all its holes are solved; none before that.

    Args:
        case: the fold.
        closed: the hole that was closed.
        limits: what the run grants a candidate.
    """
    attempt = closed.attempt
    over = case.outcome is not None or attempt in case.critiques
    decomposed = case.decompositions.get(attempt)
    skeleton = next((item for item in case.attempt_candidates(attempt) if item.skeleton), None)
    if over or decomposed is None or skeleton is None or attempt != latest_attempt(case):
        return []
    proofs = [_proof(case, attempt, child) for child in decomposed.children]
    solved = [proof for proof in proofs if proof is not None]
    if len(solved) < len(proofs):
        return []
    texts = _texts(case, skeleton, decomposed.children, solved)
    last = len(texts)
    return [
        CandidateProposed(
            attempt=attempt,
            candidate=skeleton.candidate + number,
            batch=skeleton.batch + 1,
            closes_batch=number == last,
            closes_attempt=number == last,
            text=text,
            strategy=strategy,
            citations=skeleton.citations,
            assembled=True,
            limits=limits(),
            engine="llm",
        )
        for number, (strategy, text) in enumerate(texts, 1)
    ]


def _proof(case: Case, attempt: int, child: ChildProblem) -> CandidateText | None:
    closed = case.closed_holes.get((attempt, child.hole_id))
    return closed.text if closed is not None and closed.outcome is Outcome.SOLVED else None


def _texts(
    case: Case,
    skeleton: CandidateProposed,
    children: Sequence[ChildProblem],
    proofs: Sequence[CandidateText],
) -> list[tuple[str, CandidateText]]:
    """Inlining may lose what a proof says outside of its term, so that it comes second."""
    holes = case.verdicts[(skeleton.attempt, skeleton.candidate)].verdict.holes
    theorems = [
        stated(hole, child.declaration) for hole, child in zip(holes, children, strict=True)
    ]
    before = [skeleton.text.preamble] if skeleton.text.preamble.strip() else []
    placed = [
        _placed(theorem, child, proof)
        for theorem, child, proof in zip(theorems, children, proofs, strict=True)
    ]
    uses = [
        (theorem, applied(theorem, name))
        for theorem, (name, _) in zip(theorems, placed, strict=True)
    ]
    lemma = CandidateText(
        preamble="\n\n".join([*before, *(text for _, text in placed)]),
        proof=spliced(skeleton.text.proof, holes, uses),
    )
    if any(proof.preamble.strip() for proof in proofs):
        return [(LEMMA, lemma)]
    bodies = [(theorem, p.proof) for theorem, p in zip(theorems, proofs, strict=True)]
    inline = CandidateText(
        preamble=skeleton.text.preamble, proof=spliced(skeleton.text.proof, holes, bodies)
    )
    return [(LEMMA, lemma), (INLINE, inline)]


def _placed(theorem: Stated, child: ChildProblem, proof: CandidateText) -> tuple[str, str]:
    """The name and the text of a hole's theorem; its own declarations have a namespace of its own.

    Two proofs may use one name for different lemmas.
    """
    text = f"{child.formal_statement} := {proof.proof.rstrip()}"
    if not proof.preamble.strip():
        return theorem.declaration, text
    space = theorem.declaration.replace(".", "_") + "_parts"
    inner = f"{proof.preamble.strip()}\n\n{text}"
    return f"{space}.{theorem.declaration}", f"namespace {space}\n\n{inner}\n\nend {space}"
