"""A small report of an evaluation of the search."""

from ragsolver_rag.evaluate.metrics import query_measures
from ragsolver_rag.evaluate.report import RetrievalReport, comparisons, failures, variant_report
from ragsolver_rag.evaluate.running import Outcome


def outcome(number, rank, style="lean"):
    """What became of a query whose answer has this rank."""
    return Outcome(
        case_id=str(number), query="what | is", style=style, kind="class", difficulty="Easy",
        answers=(("Foo",),), ranks=(rank,), cause="" if rank and rank <= 10 else "ranked low",
        best=("A", "B"), measures=query_measures(rank), latency_ms=float(number),
    )  # fmt: skip


RANKS = {"lexical": [1, 20, 30, 2], "hybrid+rerank": [1, 1, 30, 1]}
OUTCOMES = {
    name: [outcome(n, r, "lean" if n % 2 else "slogan") for n, r in enumerate(ranks, 1)]
    for name, ranks in RANKS.items()
}


def report():
    """Two variants over four queries."""
    return RetrievalReport(
        benchmark="mathlibqr", file="f.json", index_version="v", mathlib_tag="Lib", declarations=9,
        encoder="", queries=4, answers_in_corpus=0.75,
        variants=tuple(variant_report(name, of) for name, of in OUTCOMES.items()),
        comparisons=comparisons(OUTCOMES), failures=failures(OUTCOMES["hybrid+rerank"]),
    )  # fmt: skip
