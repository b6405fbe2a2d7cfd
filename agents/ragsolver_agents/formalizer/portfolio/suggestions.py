"""What Lean's searching tactics propose: the tactics in a `Try this` message."""

import re
from collections.abc import Iterator

from ragsolver_contracts.case import Case
from ragsolver_contracts.verdict import Verdict

_PROPOSED = re.compile(r"^\s*\[apply\] (?P<tactic>.*)")
_PARTIAL = re.compile(r"found a (?:partial )?proof, but the corresponding tactic failed:")
_UNCERTAIN = ("sorry", "✝")
LONGEST = 1_000
"""Longer proposals are not tried."""


def suggestions(text: str) -> Iterator[str]:
    """The tactics that one message proposes, each on one line.

    Proposals of `exact?`, `apply?`, `simp?` and `try?`, as Lean 4.28 words them; the goals that
    would remain follow each as comments and are left out.
    """
    lines = text.splitlines()
    found: list[str] = []
    for line in lines:
        proposed = _PROPOSED.match(line)
        if proposed:
            found.append(proposed["tactic"])
        elif found and line.startswith("    "):
            found[-1] += f" {line.strip()}"
    if lines and _PARTIAL.match(lines[0]):
        found += [line.strip() for line in lines[1:2]]
    for tactic in found:
        usable = tactic and len(tactic) <= LONGEST
        if usable and not any(mark in tactic for mark in _UNCERTAIN):
            yield tactic


def answers(case: Case, before: int | None = None) -> tuple[str, ...]:
    """What Lean proposed to the probes of a problem, in the order of the attempts, each once.

    Args:
        case: the fold.
        before: only attempts before this one.
    """
    found: dict[str, None] = {}
    for key, issued in case.verdicts.items():
        candidate = case.candidates.get(key)
        if candidate is None or not candidate.probe or candidate.negated:
            continue
        if before is None or candidate.attempt < before:
            found.update(dict.fromkeys(proposals(issued.verdict)))
    return tuple(found)


def proposals(verdict: Verdict) -> tuple[str, ...]:
    """What Lean proposed in one check, in the order of its messages."""
    told = [item.text for item in verdict.diagnostics if item.severity == "info"]
    return tuple(tactic for text in told for tactic in suggestions(text))
