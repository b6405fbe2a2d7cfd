"""The published corpus of LeanSearch v2 as a corpus: one JSON object per line.

Fields that are read: `name` (list of components, or dotted), `module_name` (list or dotted),
`kind`, `signature`, `type`, `value`, `docstring`, `informal_name`, `informal_description`,
`docs_url`. Others are ignored.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from ragsolver_rag.corpus import CorpusError, CorpusManifest, corpus_dir, write_corpus
from ragsolver_rag.source.signature import as_type

PARSER = "leansearch jsonl"
PARSER_VERSION = "1"

KINDS = {"definition": "def", "abbrev": "def", "classInductive": "class", "lemma": "theorem",
         "constructor": "ctor", "proofWanted": "theorem"}  # fmt: skip
_GENERATED = re.compile(r"^(?:_|eq_\d|match_\d|proof_\d|rec$|recOn$|casesOn$|noConfusion)")
_EVERY = 2000

LEFT_OUT = ("generated", "tactics", "deprecated", "instances")
"""What is left out unless it is asked for."""


def ingest_leansearch(
    file: Path,
    corpus: str,
    kept: frozenset[str] = frozenset(),
    on_line: Callable[[int], None] = lambda _: None,
) -> tuple[CorpusManifest, dict[str, int]]:
    """Make a corpus of a published file.

    Args:
        file: the JSONL file.
        corpus: name of the corpus, and folder in the cache.
        kept: of `LEFT_OUT`, what is kept nevertheless.
        on_line: called now and then with the number of lines read.

    Returns:
        The corpus, and how many declarations were left out, by why.

    Raises:
        CorpusError: the file is missing, a line is no declaration (says which), or none is left.
    """
    left_out: Counter[str] = Counter()
    try:
        digest = sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise CorpusError(f"{file} cannot be read: {error.strerror}") from error
    version = _version(file.name)
    manifest = {
        "corpus": corpus,
        "lean_version": version,
        "lean_commit": "",
        "toolchain_digest": "",
        "title": f"LeanSearch {file.stem} {digest[:8]}",
        "license": "Apache-2.0",
        "parser": PARSER,
        "parser_version": PARSER_VERSION,
    }
    declarations = _declarations(file, kept, left_out, on_line)
    return write_corpus(corpus_dir(corpus), declarations, manifest), dict(left_out)


def _declarations(
    file: Path, kept: frozenset[str], left_out: Counter[str], on_line: Callable[[int], None]
) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                fields = json.loads(line)
                declaration = declaration_of(fields)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise CorpusError(f"{file}, line {number}: no declaration: {error!r}") from error
            why = reason_left_out(fields, declaration)
            if why and why not in kept:
                left_out[why] += 1
            elif declaration["name"] in seen:
                left_out["duplicate"] += 1
            else:
                seen.add(declaration["name"])
                yield declaration
            if number % _EVERY == 0:
                on_line(number)


def declaration_of(fields: dict[str, Any]) -> dict[str, Any]:
    """One line as fields of `corpus.Declaration`.

    Raises:
        KeyError: name or module are missing.
        ValueError: the name is empty.
    """
    name = _dotted(fields["name"])
    if not name:
        raise ValueError("the name is empty")
    kind = str(fields.get("kind") or "theorem")
    informal = [_text(fields, "informal_name"), _text(fields, "informal_description")]
    signature = _text(fields, "signature")
    return {
        "name": name,
        "kind": KINDS.get(kind, kind),
        "module": _dotted(fields.get("module_name") or fields["module"]),
        "type": _text(fields, "type") or as_type((), signature),
        "value": _text(fields, "value")[:800],
        "doc": _text(fields, "docstring"),
        "informal": ". ".join(filter(None, informal)),
        "docs_url": _text(fields, "docs_url"),
    }


def reason_left_out(fields: dict[str, Any], declaration: dict[str, Any]) -> str:
    """Why a declaration is left out by default; one of `LEFT_OUT`, or empty."""
    name, module = fields["name"], declaration["module"]
    components = name if isinstance(name, list) else str(name).split(".")
    made = any(not isinstance(c, str) or _GENERATED.match(c) for c in components)
    if made or fields.get("auto_generated"):
        return "generated"
    if module.startswith("Mathlib.Tactic."):
        return "tactics"
    if module.startswith("Mathlib.Deprecated."):
        return "deprecated"
    return "instances" if declaration["kind"] == "instance" else ""


def _dotted(name: object) -> str:
    if isinstance(name, list):
        return ".".join(str(component) for component in name)
    return str(name)


def _text(fields: dict[str, Any], key: str) -> str:
    value = fields.get(key)
    return value.strip() if isinstance(value, str) else ""


def _version(name: str) -> str:
    found = re.search(r"v(\d+\.\d+\.\d+(?:-rc\d+)?)", name)
    return found[1] if found else ""
