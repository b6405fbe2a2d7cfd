"""Benchmark files as they are published: MathlibQR (one answer) and MathlibMPR (groups).

Format: one JSON list. A MathlibQR row is a declaration with up to six queries, an empty string is
no query. A MathlibMPR row is a theorem with groups of premises; a group counts as found when any
of its members is.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ragsolver_contracts.retrieval import Mode

Benchmark = Literal["mathlibqr", "mathlibmpr"]

STYLES: Mapping[str, str] = {
    "q1a_lean": "lean",
    "q1b_latex": "latex",
    "q1c_natural": "natural",
    "q2_slogan": "slogan",
    "q3_nickname": "nickname",
    "q4_special_case": "special case",
}
"""Fields of MathlibQR that hold queries, and the style of each."""
_STATEMENT = re.compile(r"(?:theorem|lemma|def|instance|class|structure)\b.*", re.DOTALL)


class BenchmarkError(Exception):
    """A file is not the benchmark that it is said to be; says what is wrong and where."""


class Case(BaseModel):
    """One query and what answers it."""

    model_config = ConfigDict(frozen=True)

    case_id: str
    query: str
    mode: Mode = "nl"
    style: str
    kind: str
    difficulty: str = ""
    groups: tuple[tuple[str, ...], ...]
    """Names that answer it; each group is found when one of its members is."""
    grouped: bool = False
    """Several groups are asked for, and what counts is the share that is found."""


def read_benchmark(benchmark: Benchmark, path: Path) -> list[Case]:
    """The cases of a benchmark file, in its order.

    Raises:
        BenchmarkError: the file is missing, no JSON list, or a row lacks a field.
    """
    try:
        rows = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BenchmarkError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(rows, list) or not rows:
        raise BenchmarkError(f"{path} holds no list of rows")
    read = _queries if benchmark == "mathlibqr" else _premises
    cases: list[Case] = []
    for number, row in enumerate(rows):
        try:
            cases.extend(read(row))
        except (KeyError, TypeError, AttributeError) as error:
            raise BenchmarkError(
                f"{path}, row {number}: not a row of {benchmark}, it lacks {error}"
            ) from error
    return cases


def _queries(row: Mapping[str, Any]) -> list[Case]:
    return [
        Case(
            case_id=f"{row['id']}:{style.replace(' ', '_')}",
            query=row[field],
            style=style,
            kind=row["kind"],
            difficulty=row.get("difficulty", ""),
            groups=((row["full_name"],),),
        )
        for field, style in STYLES.items()
        if row.get(field, "").strip()
    ]


def _premises(row: Mapping[str, Any]) -> list[Case]:
    """Two queries of one theorem: in words, and its Lean statement."""
    groups = tuple(tuple(group["docs"]) for group in row["premise_group"])
    statement = _STATEMENT.search(row["formal_statement"].rpartition("-/")[2])
    formal = statement[0] if statement else row["formal_statement"]
    asked: tuple[tuple[str, Mode, str], ...] = (
        ("natural", "nl", row["NL_main_result"]),
        ("formal", "formal", formal),
    )
    return [
        Case(
            case_id=f"{row['id']}:{style}",
            query=query,
            mode=mode,
            style=style,
            kind="theorem",
            groups=groups,
            grouped=True,
        )
        for style, mode, query in asked
        if query.strip()
    ]
