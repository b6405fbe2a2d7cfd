"""Citations: ids that are unique within a problem, readable labels, locators that resolve."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ragsolver_contracts.retrieval import Citation, CitationScores, Hit, RetrievalContext
from ragsolver_rag.index import MATHLIB_UNIT, DeclarationRow

_PREFIX = {"mathlib": "M", "informal": "I"}
_ID = re.compile(r"([A-Z])([1-9][0-9]*)")
_SNIPPET = 300


def citation_ids(
    chunk_ids: Sequence[str], corpus: str, cited: Mapping[str, Citation]
) -> dict[str, str]:
    """The citation id of each chunk.

    A chunk that was cited before keeps its id; new ones continue the numbering in their order.

    Args:
        chunk_ids: what is cited now; repetitions share an id.
        corpus: `mathlib` (ids `M1`, …) or `informal` (`I1`, …).
        cited: everything cited in this problem so far, by chunk.
    """
    prefix = _PREFIX[corpus]
    taken = _numbers(prefix, (citation.citation_id for citation in cited.values()))
    following = max(taken, default=0) + 1
    ids: dict[str, str] = {}
    for chunk in chunk_ids:
        if chunk in ids:
            continue
        before = cited.get(chunk)
        if before is not None:
            ids[chunk] = before.citation_id
        else:
            ids[chunk] = f"{prefix}{following}"
            following += 1
    return ids


def _numbers(prefix: str, ids: Iterable[str]) -> list[int]:
    found = (_ID.fullmatch(citation_id) for citation_id in ids)
    return [int(match[2]) for match in found if match is not None and match[1] == prefix]


def cite_declaration(
    row: DeclarationRow,
    citation_id: str,
    scores: CitationScores,
    context: RetrievalContext,
    docs_url: str,
) -> Citation:
    """The citation of a declaration.

    Args:
        row: what is cited.
        citation_id: its id within the problem.
        scores: how it was found.
        context: for whom.
        docs_url: template with `{page}` and `{decl_name}`; empty for no link.
    """
    locator: dict[str, Any] = {"decl_name": row.decl_name, "module_path": row.module_path}
    if row.docs_url:
        locator["docs_url"] = row.docs_url
    elif docs_url:
        page = row.module_path.replace(".", "/")
        locator["docs_url"] = docs_url.format(page=page, decl_name=row.decl_name)
    return Citation(
        citation_id=citation_id,
        chunk_id=row.chunk_id,
        corpus="mathlib",
        unit_type=MATHLIB_UNIT,
        label=row.decl_name,
        locator=locator,
        scores=scores,
        retrieved_for=context,
        snippet=statement_of(row)[:_SNIPPET],
    )


def statement_of(row: DeclarationRow) -> str:
    """A declaration in one line: `name : type`."""
    return f"{row.decl_name} : {row.signature}"


def declaration_hits(
    scored: Sequence[tuple[DeclarationRow, CitationScores]],
    context: RetrievalContext,
    cited: Mapping[str, Citation],
    docs_url: str,
) -> list[Hit]:
    """Declarations as hits, ranked as given, each with its citation.

    Args:
        scored: what was found and how, best first.
        context: for whom.
        cited: citations of the problem so far, by chunk; a chunk keeps its id.
        docs_url: see `cite_declaration`.
    """
    ids = citation_ids([row.chunk_id for row, _ in scored], "mathlib", cited)
    return [
        Hit(
            chunk_id=row.chunk_id,
            corpus="mathlib",
            unit_type=MATHLIB_UNIT,
            rank=rank,
            text=statement_of(row),
            metadata=_metadata(row),
            citation=cite_declaration(row, ids[row.chunk_id], scores, context, docs_url),
        )
        for rank, (row, scores) in enumerate(scored, start=1)
    ]


def _metadata(row: DeclarationRow) -> dict[str, Any]:
    metadata = {
        "decl_name": row.decl_name,
        "kind": row.kind,
        "signature": row.signature,
        "module_path": row.module_path,
    }
    said = {
        "docstring": row.docstring or row.informal_description,
        "deprecated": row.deprecated,
        "successor": row.successor,
    }
    return metadata | {key: value for key, value in said.items() if value}
