"""Reading the files of `lean_project/zoo` and `lean_project/garden`.

`python tests/suites/lean_specimens.py` prints the zoo's table by kind.
"""

import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from ragsolver_verifier.assemble import Candidate

ROOT = Path(__file__).resolve().parents[2] / "lean_project"

KINDS = (
    "hidden sorry",
    "axioms",
    "statement: changed",
    "statement: notation",
    "statement: macro",
    "statement: instance",
    "statement: namespace",
    "statement: variable",
    "statement: open",
    "statement: auto-implicit",
    "statement: universe",
    "statement: coercion",
    "redefined constant",
    "kernel switched off",
    "metaprograms",
    "initialize",
    "environment tampering",
    "implemented_by",
    "extern",
    "unsafe",
    "partial",
    "opaque",
    "hidden or forged messages",
    "declaration missing",
    "inside a comment",
    "inside a string",
    "after #exit",
    "in another namespace",
    "private",
    "twice",
    "answer-hole gaming",
    "process: forged answer",
    "process: exit",
    "process: crash",
    "process: flood of output",
    "process: endless tactic",
    "process: endless kernel",
    "process: endless parser",
    "process: endless #eval",
    "process: memory bomb",
    "process: file access",
    "process: network access",
)
"""Every kind of false proof that the zoo must have."""

_PROOF = "\n-- proof:\n"


@dataclass(frozen=True)
class Specimen:
    """One file: a text that claims to prove a statement, and what must be said of it."""

    name: str
    kind: str
    """One of `KINDS` in the zoo; empty in the garden."""
    says: str
    """What is wrong with it, or what it shows."""
    header: str
    statement: str
    expect: str
    """`accepted`, `rejected <reason>`, `inconclusive <reason>` or `failure`.

    Where an attack on the process may end in several ways: all, with `or` between them.
    """
    candidate: Candidate
    seconds: float
    """Wall-clock limit of its check."""


def specimens(folder: str) -> list[Specimen]:
    """Every file of `zoo` or `garden`, in order of names."""
    return [read(path) for path in sorted((ROOT / folder).glob("*.lean"))]


def read(path: Path) -> Specimen:
    """One file; its first lines are comments `-- field: value`; a field may have several lines.

    `repeat: N TEXT` puts N times the text where the file has `§`; in it `{i}` counts and `\\n`
    ends a line. A line `-- proof:` parts preamble and proof; the statement is then assembled.
    """
    text = path.read_text(encoding="utf-8")
    fields: dict[str, str] = {}
    says = ""
    for line in text.splitlines():
        if not line.startswith("-- "):
            break
        name, colon, value = line.removeprefix("-- ").partition(": ")
        if colon and name in ("kind", "header", "statement", "expect", "seconds", "repeat"):
            fields[name] = f"{fields[name]}\n{value}" if name in fields else value
        else:
            says = says or line.removeprefix("-- ")
    if "repeat" in fields:
        text = _repeated(text, *fields["repeat"].split(" ", 1))
    preamble, parted, proof = text.partition(_PROOF)
    return Specimen(
        path.stem,
        fields.get("kind", ""),
        says,
        fields.get("header", ""),
        fields["statement"],
        fields["expect"],
        Candidate(proof.strip("\n"), preamble) if parted else Candidate(whole=text),
        float(fields.get("seconds", "40")),
    )


def _repeated(text: str, count: str, part: str) -> str:
    part = part.replace("\\n", "\n")
    return text.replace("§", "".join(part.replace("{i}", str(i)) for i in range(int(count))))


def parametrized(folder: str) -> pytest.MarkDecorator:
    """`pytest.mark.parametrize` over a folder's files."""
    found = specimens(folder)
    return pytest.mark.parametrize("specimen", found, ids=[item.name for item in found])


def table() -> str:
    """The zoo by kind, in Markdown."""
    by_kind: dict[str, list[Specimen]] = defaultdict(list)
    for item in specimens("zoo"):
        by_kind[item.kind].append(item)
    rows = [
        f"| {kind} | {len(by_kind[kind])} | {', '.join(item.name for item in by_kind[kind])} |"
        for kind in KINDS
    ]
    return "\n".join(["| kind | files | which |", "|---|---|---|", *rows])


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
