"""Search over the embedded library: latency, how good approximate search is, build time.

    python tests/bench/bench_search.py [--json] [--quick] [--build]

*warm* asks every question once with models loaded, query embeddings not cached; the parts say
where the time goes. *graph* compares the vector index with the exact search. `--build` also
builds the index anew in a folder aside (minutes). Machine times differ; ratios hold.
"""

import argparse
import dataclasses
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalFilters, RetrievalRequest
from ragsolver_rag.build import build_index
from ragsolver_rag.corpus import corpus_dir
from ragsolver_rag.embed import EncoderConfig, SentenceEncoder
from ragsolver_rag.index_folder import IndexMissingError, find_index, tables_dir
from ragsolver_rag.index_lancedb import LanceIndex
from ragsolver_rag.names import NameIndex
from ragsolver_rag.queries import prepare
from ragsolver_rag.service import open_search
from ragsolver_rag.settings import RetrieverSettings

ALL = RetrievalFilters()
CONTEXT = RetrievalContext(problem_id="bench")
SUBJECTS = ("natural numbers", "integers", "lists", "bit vectors", "propositions", "hash maps")
CLAIMS = (
    "addition is commutative for {}",
    "equality of {} is decidable",
    "the length or size of {} after an insertion",
    "membership in {} after filtering",
    "an inequality between two sums of {}",
)
GOALS = ("a + b = b + a", "x ∈ l₁ ++ l₂ ↔ x ∈ l₁ ∨ x ∈ l₂", "n % 2 = 0 ∨ n % 2 = 1")
MISSES = ("Nat.add_com", "List.reverse_append_distrib", "Int.foo_bar")


def questions() -> list[RetrievalRequest]:
    """Thirty questions in English, some goals, some misses."""
    asked = [("nl", claim.format(subject)) for claim in CLAIMS for subject in SUBJECTS]
    asked += [("formal", goal) for goal in GOALS]
    asked += [("error", f"unknown identifier '{name}'") for name in MISSES]
    return [
        RetrievalRequest(queries=(query,), mode=mode, context=CONTEXT) for mode, query in asked
    ]


def timed(action: Callable[[], Any]) -> tuple[float, float]:
    """Milliseconds on the clock, and of processor time over all threads."""
    began, used = time.perf_counter(), time.process_time()
    action()
    return (time.perf_counter() - began) * 1000, (time.process_time() - used) * 1000


def quantiles(times: Iterable[tuple[float, float]]) -> dict[str, float]:
    """Median and 95th percentile on the clock, median of processor time, in ms."""
    clock, processor = np.array(list(times)).T
    return {
        "p50_ms": float(np.median(clock)),
        "p95_ms": float(np.percentile(clock, 95)),
        "cpu_p50_ms": float(np.median(processor)),
    }


def bench_warm(settings: RetrieverSettings, rounds: int) -> dict[str, dict[str, float]]:
    """Whole searches by mode, and their parts."""
    search = open_search(settings)
    asked = questions()
    cold = timed(lambda: search.search(asked[0]))
    search.warm()
    search.search(asked[-1])
    by_mode: dict[str, list[tuple[float, float]]] = {}
    for number in range(rounds):
        for request in asked:
            # Another text for the encoder, the same terms: no cached embedding.
            fresh = request.model_copy(update={"queries": (request.queries[0] + "." * number,)})
            by_mode.setdefault(request.mode, []).append(timed(lambda r=fresh: search.search(r)))
    table = {mode: quantiles(times) for mode, times in by_mode.items()}
    table["all modes"] = quantiles(time for times in by_mode.values() for time in times)
    table["first search of a process"] = quantiles([cold])
    return table | bench_parts(settings)


def bench_parts(settings: RetrieverSettings) -> dict[str, dict[str, float]]:
    """Encoder, vector search, full text and near names alone."""
    folder, manifest = find_index(settings)
    index = LanceIndex(tables_dir(folder, manifest))
    encoder = SentenceEncoder(EncoderConfig.of(settings))
    names = NameIndex(index.names)
    names.closest("warm", 1)
    prepared = [prepare(r.queries[0], r.mode) for r in questions()]
    vectors = [encoder.embed_query(f"{query.text} warm") for query in prepared]
    return {
        "  encoder": quantiles(timed(lambda q=q: encoder.embed_query(q.text)) for q in prepared),
        "  vectors": quantiles(timed(lambda v=v: index.dense(v, 50, ALL)) for v in vectors),
        "  full text": quantiles(
            timed(lambda q=q: index.sparse(q.terms, 50, ALL)) for q in prepared
        ),
        "  near names": quantiles(timed(lambda n=n: names.closest(n, 5)) for n in MISSES),
    }


def bench_graph(settings: RetrieverSettings) -> dict[str, float]:
    """Share of the exact fifty nearest that the vector index gives, and both times."""
    folder, manifest = find_index(settings)
    index = LanceIndex(tables_dir(folder, manifest))
    encoder = SentenceEncoder(EncoderConfig.of(settings))
    shares, graph, exact = [], [], []
    for request in questions():
        vector = encoder.embed_query(request.queries[0])
        near = {hit.row.chunk_id for hit in index.dense(vector, 50, ALL)}
        true = {hit.row.chunk_id for hit in index.exact(vector, 50, ALL)}
        shares.append(len(near & true) / len(true))
        graph.append(timed(lambda v=vector: index.dense(v, 50, ALL))[0])
        exact.append(timed(lambda v=vector: index.exact(v, 50, ALL))[0])
    return {
        "rows": manifest.count,
        "recall_at_50": float(np.mean(shares)),
        "graph_p50_ms": float(np.median(graph)),
        "exact_p50_ms": float(np.median(exact)),
    }


def bench_build(settings: RetrieverSettings) -> dict[str, float]:
    """Seconds of a whole build in a cache aside, and what of them is embedding."""
    corpus = corpus_dir(settings.corpus).resolve()
    marks: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="ragsolver-bench-") as aside:
        before = os.environ.get("RAGSOLVER_CACHE")
        lean = corpus.parents[1] / "lean"
        os.environ["RAGSOLVER_CACHE"] = aside
        try:
            (Path(aside) / "corpora").symlink_to(corpus.parent)
            (Path(aside) / "lean").symlink_to(lean)
            manifest, _ = build_index(
                settings, progress=lambda stage, *_: marks.setdefault(stage, time.monotonic())
            )
        finally:
            os.environ.pop("RAGSOLVER_CACHE")
            if before is not None:
                os.environ["RAGSOLVER_CACHE"] = before
    return {
        "declarations": manifest.count,
        "seconds": manifest.seconds,
        "embedding_seconds": marks["tables"] - marks["embed"],
        "declarations_per_second": manifest.count / (marks["tables"] - marks["embed"]),
    }


def table(result: dict[str, Any]) -> str:
    """The results for people."""
    lines = [f"{'':28}{'p50 ms':>10}{'p95 ms':>10}{'cpu ms':>10}"]
    lines += [
        f"{label:28}{row['p50_ms']:>10.1f}{row['p95_ms']:>10.1f}{row['cpu_p50_ms']:>10.1f}"
        for label, row in result["warm"].items()
    ]
    graph = result["graph"]
    lines.append(
        f"vector index over {graph['rows']} rows: recall@50 {graph['recall_at_50']:.3f}, "
        f"{graph['graph_p50_ms']:.1f} ms against {graph['exact_p50_ms']:.1f} ms exact"
    )
    build = result.get("build")
    if build:
        lines.append(
            f"build of {build['declarations']} declarations: {build['seconds']:.0f} s, embedding "
            f"{build['embedding_seconds']:.0f} s ({build['declarations_per_second']:.0f} a second)"
        )
    return "\n".join(lines)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quick", action="store_true", help="one round instead of five")
    parser.add_argument("--build", action="store_true", help="also build the index anew")
    options = parser.parse_args()
    settings = dataclasses.replace(RetrieverSettings())
    try:
        rounds = 1 if options.quick else 5
        result = {"warm": bench_warm(settings, rounds), "graph": bench_graph(settings)}
    except IndexMissingError as error:
        raise SystemExit(str(error)) from error
    if options.build:
        result["build"] = bench_build(settings)
    sys.stdout.write((json.dumps(result) if options.json else table(result)) + "\n")


if __name__ == "__main__":
    main()
