"""Declarations made into rows of the index: texts, terms and popularity, by several processes."""

import math
import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ragsolver_rag.corpus import CorpusManifest, Declaration
from ragsolver_rag.facts import popularity_of
from ragsolver_rag.index import MATHLIB_UNIT, DeclarationRow
from ragsolver_rag.verbalize import Texts, texts

_UNKNOWN = 0.6
"""Popularity of a namespace that is no declaration."""
_MANY = 20_000
"""Declarations from which a second process pays."""
_CHUNK = 500
_LONGEST_SIGNATURE = 2000

INHERITED = frozenset(
    ["simps", "field", "reassoc", "elementwise", "constructor", "ext", "mk_iff", "to_fun", "alias"]
)
"""Origins whose declarations are embedded as what they were made of: they lie where it lies."""

OnTexts = Callable[[int], None]


def declaration_rows(
    declarations: Sequence[Declaration],
    corpus: CorpusManifest,
    repeats: Mapping[str, int] | None = None,
    on_texts: OnTexts = lambda _: None,
    processes: int = 2,
) -> list[DeclarationRow]:
    """What the index keeps of each declaration, in the order given.

    Args:
        declarations: what is indexed.
        corpus: where they come from.
        repeats: how often a field's terms stand in the full-text column.
        on_texts: called now and then with how many are done.
        processes: used where there are many declarations.
    """
    document = corpus.sha256[:12]
    spoken_of = popularity(declarations)
    embedded: dict[str, str] = {}
    rows = []
    made = _texts(declarations, dict(repeats or {}), processes)
    for order, (declaration, found) in enumerate(zip(declarations, made, strict=True)):
        embedded[declaration.name] = found.embedding
        rows.append(
            DeclarationRow(
                chunk_id=f"{document}:{MATHLIB_UNIT}:{order}",
                doc_id=document,
                order=order,
                decl_name=declaration.name,
                kind=declaration.kind,
                module_path=declaration.module,
                signature=" ".join(declaration.type.split())[:_LONGEST_SIGNATURE],
                type=declaration.type,
                docstring=declaration.doc or "",
                informal_description=declaration.informal,
                note=declaration.note,
                origin=declaration.origin,
                deprecated=declaration.deprecated,
                successor=declaration.successor,
                docs_url=declaration.docs_url,
                popularity=spoken_of(declaration),
                search_text=found.search,
                embedding_text=_embedded(declaration, found, embedded),
                fields=found.fields,
            )
        )
        if order % 1000 == 0:
            on_texts(order)
    on_texts(len(declarations))
    return rows


def _embedded(declaration: Declaration, found: Texts, embedded: Mapping[str, str]) -> str:
    if declaration.origin in INHERITED:
        return embedded.get(declaration.origin_of, found.embedding)
    return found.embedding


def _texts(
    declarations: Sequence[Declaration], repeats: dict[str, int], processes: int
) -> Iterator[Texts]:
    if len(declarations) < _MANY or processes < 2:
        yield from (texts(declaration, repeats) for declaration in declarations)
        return
    chunks = (
        (declarations[start : start + _CHUNK], repeats)
        for start in range(0, len(declarations), _CHUNK)
    )
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for made in pool.imap(_chunk_texts, chunks):
            yield from made


def _chunk_texts(job: tuple[Sequence[Declaration], dict[str, int]]) -> list[Texts]:
    declarations, repeats = job
    return [texts(declaration, repeats) for declaration in declarations]


def popularity(declarations: Sequence[Declaration]) -> Callable[[Declaration], float]:
    """How much a corpus speaks of a declaration, 0 to 1 on a logarithmic scale.

    Where mentions are counted, they decide. Elsewhere the namespace does: of two equally good
    lemmas, one about `Nat` is wanted more often than one about `UInt8`. What lies in no
    namespace, such as the laws of logic, then counts as most popular; a namespace that is no
    declaration itself, such as `Classical`, is in the middle.
    """
    most = max((d.mentions for d in declarations if d.mentions is not None), default=None)
    spoken = Counter(name for each in declarations for name in set(each.constants))
    most_spoken = math.log1p(max(spoken.values(), default=1))

    def _of(declaration: Declaration) -> float:
        if most is not None:
            return popularity_of(declaration.mentions or 0, most)
        namespace = declaration.name.rpartition(".")[0]
        if not namespace:
            return 1.0
        return math.log1p(spoken[namespace]) / most_spoken if namespace in spoken else _UNKNOWN

    return _of
