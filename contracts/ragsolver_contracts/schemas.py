"""JSON Schemas of everything that crosses a process border, and the check that they are current.

The models are the source; the files are the frozen witness that a reviewer sees change.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from ragsolver_contracts.check import CheckReply, CheckRequest
from ragsolver_contracts.events import PAYLOADS, envelope_class, schema_name
from ragsolver_contracts.problem import ProblemInput, SubmitReply
from ragsolver_contracts.report import SolutionReport
from ragsolver_contracts.retrieval import RetrievalRequest, RetrievalResult

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_VALUES: tuple[type[BaseModel], ...] = (
    ProblemInput,
    SubmitReply,
    CheckRequest,
    CheckReply,
    RetrievalRequest,
    RetrievalResult,
    SolutionReport,
)


class Drift(NamedTuple):
    """One schema file that does not say what the models say."""

    file: str
    what: str
    """`missing`, `differs` or `unexpected`."""


def all_schemas() -> dict[str, dict[str, Any]]:
    """Schema by file name, relative to the schemas folder."""
    made: dict[str, dict[str, Any]] = {}
    for name, payload in PAYLOADS.items():
        schema = envelope_class(name).model_json_schema(by_alias=True, mode="validation")
        made[schema_name(name, payload.VERSION)] = {
            "$schema": DIALECT,
            "$id": schema_name(name, payload.VERSION),
            **schema,
            "title": payload.event_type(),
        }
    for model in _VALUES:
        made[f"v1/{model.__name__}.schema.json"] = model.model_json_schema(by_alias=True)
    return made


def render(schema: dict[str, Any]) -> str:
    """The text of a schema file: stable, readable, one trailing newline."""
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def write(folder: Path) -> list[str]:
    """Write every schema below `folder`; returns the file names.

    A file that no model stands behind is removed, so that the folder says what the code says.
    """
    schemas = all_schemas()
    for name in _stale(folder, schemas):
        (folder / name).unlink()
    for name, schema in schemas.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(render(schema), encoding="utf-8")
    return sorted(schemas)


def check(folder: Path) -> list[Drift]:
    """Every file below `folder` that is missing, differs from the models, or has no model."""
    schemas = all_schemas()
    drift = [Drift(name, "unexpected") for name in _stale(folder, schemas)]
    for name, schema in sorted(schemas.items()):
        target = folder / name
        if not target.is_file():
            drift.append(Drift(name, "missing"))
        elif target.read_text(encoding="utf-8") != render(schema):
            drift.append(Drift(name, "differs"))
    return drift


def _stale(folder: Path, schemas: dict[str, dict[str, Any]]) -> list[str]:
    present = (path.relative_to(folder).as_posix() for path in folder.rglob("*.schema.json"))
    return sorted(set(present) - set(schemas))
