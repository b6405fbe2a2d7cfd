"""What was looked up for a problem and what came of it."""

from ragsolver_contracts.base import Model
from ragsolver_contracts.case import Case
from ragsolver_contracts.retrieval import CitationScores, VersionsPin
from ragsolver_runtime.web.marked import Cited, citation_of


class FoundHit(Model):
    """One hit."""

    rank: int
    citation: Cited
    text: str
    scores: CitationScores


class Finding(Model):
    """One retrieval."""

    plan: int
    subgoal: str
    attempt: int
    """0: for the plan; n: after the critique of attempt n."""
    goal: str = ""
    mode: str
    queries: tuple[str, ...]
    k: int
    reranked: bool
    latency_ms: float
    hits: tuple[FoundHit, ...]
    versions: VersionsPin


_LONGEST = 600


def findings_of(case: Case) -> tuple[Finding, ...]:
    """Every retrieval, by plan, subgoal and attempt."""
    report = _levels(case)
    found = []
    for (plan, subgoal, attempt), item in case.evidence.items():
        subgoals = case.plans[plan].subgoals if plan in case.plans else ()
        goals = [goal.statement_nl for goal in subgoals if goal.subgoal_id == subgoal]
        hits = tuple(
            FoundHit(
                rank=hit.rank,
                citation=citation_of(hit.citation, report.get(hit.chunk_id, "")),
                text=hit.text[:_LONGEST],
                scores=hit.citation.scores,
            )
            for hit in item.result.hits
        )
        found.append(
            Finding(
                plan=plan,
                subgoal=subgoal,
                attempt=attempt,
                goal=goals[0] if goals else "",
                mode=item.request.mode,
                queries=item.request.queries,
                k=item.request.k,
                reranked=any(hit.scores.rerank is not None for hit in hits),
                latency_ms=item.result.trace.latency_ms,
                hits=hits,
                versions=item.result.trace.versions,
            )
        )
    return tuple(found)


def _levels(case: Case) -> dict[str, str]:
    """Level of each chunk in the final report."""
    ended = [e.data.report for e in case.events.values() if hasattr(e.data, "report")]
    if not ended:
        return {}
    cited = ended[0].citations
    return {
        citation.chunk_id: level
        for level in ("consulted", "used_in_sketch", "used_in_proof")
        for citation in getattr(cited, level)
    }
