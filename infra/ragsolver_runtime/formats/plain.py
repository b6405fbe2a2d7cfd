"""RagSolver's own layout: the fields of an input. It is also that of miniF2F as most ship it."""

from collections.abc import Mapping
from typing import Any

from ragsolver_contracts.problem import ProblemInput
from ragsolver_runtime.formal_text import (
    joined_headers,
    open_definition,
    split_formal,
    without_comments,
)
from ragsolver_runtime.formats.layout import Converted, Fields, Format


def _recognises(fields: Fields, _file: str) -> bool:
    return fields.keys() <= ProblemInput.model_fields.keys()


def _convert(fields: Fields, _file: str) -> Converted:
    name = fields.get("name")
    return Converted(tidied(fields), name if isinstance(name, str) else "")


def tidied(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The record as it is, but for two cases that no problem can be in otherwise.

    A statement that brings imports or definitions is parted from them, and where a definition is
    left open, the comments before the statement go: they may give it away.
    """
    made = dict(fields)
    formal, header = fields.get("formal_statement"), fields.get("header", "")
    if not isinstance(header, str):
        return made
    if isinstance(formal, str):
        parts = split_formal(formal)
        if parts.header and parts.name:
            header = joined_headers(header, parts.header)
            made |= {"formal_statement": parts.statement, "header": header}
            if parts.doc:
                made.setdefault("informal_statement", parts.doc)
    if open_definition(header, ""):
        made["header"] = without_comments(header)
    return made


FORMAT = Format(
    name="plain",
    about="name, formal_statement, informal_statement, header, split, source, hints, sketch",
    recognises=_recognises,
    convert=_convert,
    dataset=lambda _fields, _file: None,
)
