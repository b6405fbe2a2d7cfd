"""What the layouts share: a record becomes an input object, and nothing else of it goes on.

A converted record has only the fields that are written out here. Proofs, answers and solutions
never reach a message, because no code copies them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ragsolver_runtime.admission import ABSENT
from ragsolver_runtime.formal_text import joined_headers, split_formal, without_comments

Fields = Mapping[str, Any]
"""A record as published: what a JSON object holds."""

MATHLIB = "import Mathlib"
"""Header of a layout whose statements rest on all of Mathlib, where a record brings no import."""

_NOT_IN_NAMES = re.compile(r"[\s/|]+")
_PROOF_IN_WORDS = re.compile(r"\\begin\{proof\}.*", re.DOTALL)
_COMMENT = re.compile(r"\A\s*/-[-!]?|-/\s*\Z")


@dataclass(frozen=True)
class Dataset:
    """Where records come from."""

    key: str
    """Prefix of the problems' names."""
    title: str
    """As the dataset calls itself; goes into the problem's source."""
    licence: str = ""
    """SPDX identifier; empty when no statement of it was found."""


@dataclass(frozen=True)
class Converted:
    """An input object made of a record."""

    fields: dict[str, Any]
    own_name: str = ""
    """The dataset's own id, without the dataset."""


@dataclass(frozen=True)
class Format:
    """A layout in which problems are published."""

    name: str
    """What `--format` calls it."""
    about: str
    """One line for the help."""
    recognises: Callable[[Fields, str], bool]
    """Whether a record, of a file of this name, has the layout."""
    convert: Callable[[Fields, str], Converted]
    """Makes the input object. A value of the wrong type is kept, so that the intake names it."""
    dataset: Callable[[Fields, str], Dataset | None]
    """Which dataset a record of a file of this name belongs to; none: unknown."""


def converted(
    dataset: Dataset | None,
    own_id: Any,
    *,
    formal: Any = None,
    informal: Any = None,
    header: Any = "",
    split: Any = "",
    default_header: str = "",
) -> Converted:
    """The input object of a record.

    Args:
        dataset: where it comes from; none: it keeps its own name.
        own_id: the dataset's id of it, a text or a number; none: the theorem's name.
        formal: statement in Lean, which may bring imports, definitions, comments and a proof.
        informal: statement in words.
        header: Lean text before the statement, where it has a field of its own.
        split: part of the dataset.
        default_header: header where the record brings no import.
    """
    fields: dict[str, Any] = {}
    theorem, doc = "", ""
    if not isinstance(formal, str | None):
        fields["formal_statement"] = formal
    elif present(formal):
        parts = split_formal(str(formal))
        theorem, doc = parts.name, parts.doc
        fields["formal_statement"] = parts.statement
        given = header if isinstance(header, str) and present(header) else ""
        # The header's own comments may hold an answer; the statement's are gone already.
        whole = joined_headers(without_comments(given), parts.header)
        fields["header"] = whole if "import " in whole else joined_headers(default_header, whole)
    if not isinstance(header, str | None):
        fields["header"] = header
    words = informal if present(informal) else doc
    if not isinstance(words, str) or present(words):
        fields["informal_statement"] = in_words(words)
    if present(split):
        fields["split"] = split
    if dataset is not None:
        fields["source"] = {"dataset": dataset.title, "licence": dataset.licence}
    own_name = theorem if own_id is None else own_id
    if isinstance(own_name, str | int) and str(own_name).strip():
        fields["name"] = namespaced(dataset, own_name, split)
    return Converted(fields, str(own_name))


def namespaced(dataset: Dataset | None, own_id: str | int, split: Any = "") -> str:
    """Name of a problem: `dataset.id`; `dataset.split.id` where the id is only a number.

    An id that begins with the dataset's key is not doubled, one without a dataset stays itself.
    """
    own = _NOT_IN_NAMES.sub(".", str(own_id).strip()).lstrip("_")
    if dataset is None or own.startswith(dataset.key):
        return own
    within = [split] if own.isdigit() and isinstance(split, str) and present(split) else []
    return ".".join([dataset.key, *within, own])


def present(value: Any) -> bool:
    """Whether a record has the value; datasets write "None." and "null" for what is not there."""
    return value is not None and not (isinstance(value, str) and value.strip() in ABSENT)


def in_words(text: Any) -> Any:
    """The words of a statement: no comment signs around them, no proof after them."""
    if not isinstance(text, str):
        return text
    return _COMMENT.sub("", _PROOF_IN_WORDS.sub("", text)).strip()
