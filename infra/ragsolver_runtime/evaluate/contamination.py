"""Whether a test problem stands in a corpus already: the port to whoever knows the corpora.

The entry point group `ragsolver.contamination` names functions with the signature of `Compare`.
It is asked once, before anything runs; its findings travel in `run_started`, so that a report
needs the traces and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from ragsolver_contracts.evaluation import ContaminationCheck
from ragsolver_runtime.doctor import extra_of, lacks_extra
from ragsolver_runtime.problem_files import FileInput

ENTRY_POINT_GROUP = "ragsolver.contamination"
THRESHOLD = 0.9


@dataclass(frozen=True)
class Probe:
    """What a problem says, in Lean and in words."""

    name: str
    formal_statement: str = ""
    informal_statement: str = ""


Compare = Callable[[Sequence[Probe], float, Mapping[str, Any]], ContaminationCheck]
"""Compares problems with every corpus: problems, threshold, worker settings of the retriever."""


def probes(inputs: Iterable[FileInput]) -> list[Probe]:
    """The problems of a file as they are compared; what is no problem is left out."""
    found = []
    for item in inputs:
        fields = item.fields or {}
        texts = [fields.get(key) for key in ("formal_statement", "informal_statement")]
        formal, informal = (text if isinstance(text, str) else "" for text in texts)
        if item.name and (formal or informal):
            found.append(Probe(item.name, formal, informal))
    return found


def check_contamination(
    problems: Sequence[Probe], settings: Mapping[str, Any], threshold: float = THRESHOLD
) -> ContaminationCheck:
    """Ask the installed packages; without one nothing is compared, and the result says so.

    Args:
        problems: what is going to be tested.
        settings: the worker settings of the retriever.
        threshold: cosine above which two texts count as paraphrases.
    """
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            compare: Compare = entry.load()
        except ImportError as error:
            if not lacks_extra(error):
                raise
            said = f"No corpus was compared: pip install '{extra_of(entry)}'."
            return ContaminationCheck(threshold=threshold, skipped=said)
        return compare(problems, threshold, settings)
    said = "No corpus was compared: no installed package knows one."
    return ContaminationCheck(threshold=threshold, skipped=said)
