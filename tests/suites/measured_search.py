"""A process that measures searches: a line `VARIANT CLIENTS REQUESTS` in, one JSON object out.

Run as a script, so that another checkout can be measured beside this one by the same requests; it
uses nothing that an older one does not have.
"""

import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest
from ragsolver_rag.evaluate.running import Variant, variant_tuning
from ragsolver_rag.service import open_parts
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tuning import load_tuning

CONTEXT = RetrievalContext(problem_id="bench")
SUBJECTS = ("natural numbers", "integers", "lists", "groups", "propositions", "finite sets")
CLAIMS = (
    "addition is commutative for {}",
    "equality of {} is decidable",
    "the length or size of {} after an insertion",
    "membership in {} after filtering",
    "an inequality between two sums of {}",
)
GOALS = ("a + b = b + a", "x ∈ s ∪ t ↔ x ∈ s ∨ x ∈ t", "n % 2 = 0 ∨ n % 2 = 1")
MISSES = ("Nat.add_com", "List.reverse_append_distrib", "Int.foo_bar")


def questions() -> list[tuple[str, str]]:
    """Thirty questions in English, some goals, some misses: mode and text."""
    asked = [("nl", claim.format(subject)) for claim in CLAIMS for subject in SUBJECTS]
    asked += [("formal", goal) for goal in GOALS]
    return asked + [("error", f"unknown identifier '{name}'") for name in MISSES]


def resident_mb() -> int:
    """Memory of this process, in MiB."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def open_files() -> int:
    """Descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


class Measured:
    """One opened index, asked in all variants."""

    def __init__(self, settings: RetrieverSettings) -> None:
        """Open it, with models that several callers share where the checkout has them."""
        self._models: Any = ()
        try:
            from ragsolver_rag.models import SharedModels
        except ImportError:
            pass
        else:
            self._models = (SharedModels(settings),)
        self._opened = open_parts(settings, *self._models)
        self._tuning = load_tuning(settings.tuning)
        self._asked = 0

    @property
    def variants(self) -> list[str]:
        """What the index can answer."""
        dense = ["hybrid", "hybrid+rerank"] if self._opened.manifest.dimensions else []
        return ["lexical", "lexical+rerank", *dense]

    def measure(self, variant: Variant, clients: int, requests: int) -> dict[str, Any]:
        """Latency as a client sees it, in ms; every query embedded anew."""
        asked = variant_tuning(variant, self._tuning)
        search = self._opened.search(asked.tuning, dense=asked.dense)
        search.warm()
        fresh = [self._request(mode, text) for mode, text in self._texts(requests + clients)]
        for request in fresh[requests:]:
            search.search(request)

        def _timed(request: RetrievalRequest) -> float:
            began = time.perf_counter()
            search.search(request)
            return (time.perf_counter() - began) * 1000

        used, began = time.process_time(), time.perf_counter()
        with ThreadPoolExecutor(clients) as threads:
            times = list(threads.map(_timed, fresh[:requests]))
        seconds = time.perf_counter() - began
        return {
            "p50_ms": float(np.median(times)),
            "p95_ms": float(np.percentile(times, 95)),
            "cpu_ms": (time.process_time() - used) * 1000 / requests,
            "per_second": requests / seconds,
            "memory_mb": resident_mb(),
            "files": open_files(),
        }

    def _texts(self, count: int) -> list[tuple[str, str]]:
        known = questions()
        found = []
        for _ in range(count):
            mode, text = known[self._asked % len(known)]
            # Another text for the encoder, the same terms: no embedding is remembered.
            found.append((mode, text + "." * (self._asked // len(known) + 1)))
            self._asked += 1
        return found

    def _request(self, mode: Any, text: str) -> RetrievalRequest:
        return RetrievalRequest(queries=(text,), mode=mode, rerank=False, context=CONTEXT)


def main() -> None:
    """Serve the lines of standard input."""
    measured = Measured(RetrieverSettings(corpus=sys.argv[1]))
    sys.stdout.write(json.dumps(measured.variants) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        variant, clients, requests = line.split()
        found = measured.measure(variant, int(clients), int(requests))
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
