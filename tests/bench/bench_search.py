"""Search over the embedded library: latency, how good approximate search is, build time.

    python tests/bench/bench_search.py [--json] [--quick] [--build] [--corpus NAME]
    python tests/bench/bench_search.py --serving [--against CHECKOUT] [--corpus NAME]
    python tests/bench/bench_search.py --soak [--corpus NAME]

*warm* asks every question once with models loaded, query embeddings not cached; the parts say
where the time goes. *graph* compares the vector index with the exact search. `--build` also
builds the index anew in a folder aside (minutes). *serving* asks all variants with 1 and 8
clients at once, `--against` this and another checkout by turns. Machine times differ; ratios hold,
and processor time holds on a busy machine.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ragsolver_contracts.retrieval import RetrievalFilters, RetrievalRequest
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
TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from suites.measured_search import CONTEXT, MISSES, open_files, resident_mb  # noqa: E402
from suites.measured_search import questions as asked_questions  # noqa: E402

SOAK_SEARCHES, SOAK_OPENINGS = 1000, 50
PACKAGES = ("contracts", "infra", "agents", "rag_worker", "verifier_worker")


def questions() -> list[RetrievalRequest]:
    """Thirty questions in English, some goals, some misses."""
    return [
        RetrievalRequest(queries=(query,), mode=mode, context=CONTEXT)
        for mode, query in asked_questions()
    ]


class Other:
    """A process that measures the searches of a checkout."""

    def __init__(self, checkout: Path, corpus: str) -> None:
        """Start it and wait until its index is open."""
        path = os.pathsep.join(str(checkout / package) for package in PACKAGES)
        self._process = subprocess.Popen(
            [sys.executable, str(TESTS / "suites" / "measured_search.py"), corpus],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.variants: list[str] = json.loads(self._line())

    def measure(self, variant: str, clients: int, requests: int) -> dict[str, float]:
        """See `measured_search.Measured.measure`."""
        self._process.stdin.write(f"{variant} {clients} {requests}\n")
        self._process.stdin.flush()
        found: dict[str, float] = json.loads(self._line())
        return found

    def close(self) -> None:
        """End it."""
        self._process.communicate(timeout=60)

    def _line(self) -> str:
        return self._process.stdout.readline() or "null"


def bench_serving(settings: RetrieverSettings, requests: int, against: Path | None) -> list[Any]:
    """All variants at 1 and 8 clients, this checkout and the other one by turns."""
    checkouts = {"": TESTS.parent} | ({"before": against.resolve()} if against else {})
    others = {name: Other(path, settings.corpus) for name, path in checkouts.items()}
    rows = []
    try:
        for variant in others[""].variants:
            for clients in (1, 8):
                for other in others.values():
                    other.measure(variant, clients, 4)
                passes = [
                    (name, other.measure(variant, clients, requests))
                    for _ in range(2)
                    for name, other in others.items()
                ]
                for name in checkouts:
                    own = [found for each, found in passes if each == name]
                    mean = {key: float(np.mean([found[key] for found in own])) for key in own[0]}
                    rows.append({"variant": variant, "clients": clients, "of": name, **mean})
    finally:
        for other in others.values():
            other.close()
    return rows


def bench_soak(settings: RetrieverSettings) -> dict[str, Any]:
    """A thousand searches and fifty openings: descriptors and memory at the quarters."""
    from ragsolver_rag.models import SharedModels
    from ragsolver_rag.service import ServedSearch

    told: dict[str, list[tuple[int, int]]] = {"searches": [], "openings": []}
    with SharedModels(settings) as models:
        served = ServedSearch(settings, models)
        served.warm()
        asked = questions()
        for number in range(SOAK_SEARCHES):
            served.search(asked[number % len(asked)], {})
            if (number + 1) % (SOAK_SEARCHES // 4) == 0:
                told["searches"].append((open_files(), resident_mb()))
        for number in range(SOAK_OPENINGS):
            again = ServedSearch(settings, models)
            again.search(asked[number % len(asked)], {})
            if (number + 1) % (SOAK_OPENINGS // 5) == 0:
                told["openings"].append((open_files(), resident_mb()))
    return told


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
    lines = []
    if "warm" in result:
        lines.append(f"{'':28}{'p50 ms':>10}{'p95 ms':>10}{'cpu ms':>10}")
        lines += [
            f"{label:28}{row['p50_ms']:>10.1f}{row['p95_ms']:>10.1f}{row['cpu_p50_ms']:>10.1f}"
            for label, row in result["warm"].items()
        ]
    graph = result.get("graph")
    if graph:
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
    lines += serving_lines(result.get("serving", []))
    for what, told in result.get("soak", {}).items():
        shown = ", ".join(f"{files} files {memory} MiB" for files, memory in told)
        lines.append(f"over the {what}: {shown}")
    return "\n".join(lines)


def serving_lines(rows: list[Any]) -> list[str]:
    """Latency by variant and clients; beside another checkout with the ratio of processor time."""
    if not rows:
        return []
    heads = ("clients", "p50 ms", "p95 ms", "cpu ms", "a second", "MiB", "files")
    lines = [f"{'':24}" + "".join(f"{head:>10}" for head in heads)]
    before = {(r["variant"], r["clients"]): r for r in rows if r["of"]}
    for row in rows:
        label = f"{row['variant']} {row['of']}"
        lines.append(
            f"{label:24}{row['clients']:>10}{row['p50_ms']:>10.1f}{row['p95_ms']:>10.1f}"
            f"{row['cpu_ms']:>10.1f}{row['per_second']:>10.1f}{row['memory_mb']:>10.0f}"
            f"{row['files']:>10.0f}"
        )
        old = before.get((row["variant"], row["clients"]))
        if old is not None and not row["of"]:
            ratios = [old[key] / row[key] for key in ("p50_ms", "p95_ms", "cpu_ms")]
            lines.append(f"{'  before / now':34}" + "".join(f"{r:>10.2f}" for r in ratios))
    return lines


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quick", action="store_true", help="one round instead of five")
    parser.add_argument("--build", action="store_true", help="also build the index anew")
    parser.add_argument("--corpus", default="embedded", help="which index")
    parser.add_argument("--serving", action="store_true", help="only 1 and 8 clients at once")
    parser.add_argument("--against", type=Path, help="another checkout, measured by turns")
    parser.add_argument("--soak", action="store_true", help="only a thousand searches and more")
    options = parser.parse_args()
    settings = RetrieverSettings(corpus=options.corpus)
    rounds = 1 if options.quick else 5
    only = options.serving or options.soak
    try:
        result: dict[str, Any] = {}
        if not only:
            result = {"warm": bench_warm(settings, rounds), "graph": bench_graph(settings)}
        if options.serving or not only:
            result["serving"] = bench_serving(settings, 36 * rounds, options.against)
        if options.soak:
            result["soak"] = bench_soak(settings)
    except IndexMissingError as error:
        raise SystemExit(str(error)) from error
    if options.build:
        result["build"] = bench_build(settings)
    sys.stdout.write((json.dumps(result) if options.json else table(result)) + "\n")


if __name__ == "__main__":
    main()
