"""Retrieved lemmas as the deciding workers see them."""

from dataclasses import dataclass

from ragsolver_contracts.case import Case
from ragsolver_contracts.retrieval import Hit

PROVES = frozenset({"theorem", "lemma", "axiom", ""})
"""Kinds of declarations that can prove something; an unknown kind is tried."""


@dataclass(frozen=True)
class Lemma:
    """One declaration that was retrieved."""

    citation_id: str
    name: str
    signature: str = ""
    description: str = ""
    module: str = ""
    kind: str = ""

    @property
    def line(self) -> str:
        """The one way in which a lemma is shown: `name : signature — description (module)`."""
        signature = f" : {self.signature}" if self.signature else ""
        description = f" — {self.description}" if self.description else ""
        module = f" ({self.module})" if self.module else ""
        return f"{self.name}{signature}{description}{module}"

    @property
    def is_provable(self) -> bool:
        """Whether it states something, rather than define it."""
        return self.kind in PROVES


def retrieved_lemmas(case: Case) -> list[Lemma]:
    """Formal hits of the problem, the newest retrieval first, each declaration once."""
    found: dict[str, Lemma] = {}
    newest_first = sorted(
        case.evidence.values(), key=lambda item: (item.plan, item.attempt), reverse=True
    )
    for item in newest_first:
        for hit in item.result.hits:
            if hit.corpus == "mathlib":
                lemma = _lemma(hit)
                found.setdefault(lemma.name, lemma)
    return list(found.values())


def _lemma(hit: Hit) -> Lemma:
    locator, metadata = hit.citation.locator, hit.metadata
    name = str(locator.get("decl_name") or metadata.get("decl_name") or hit.citation.label)
    return Lemma(
        citation_id=hit.citation.citation_id,
        name=name,
        signature=" ".join(str(metadata.get("signature") or "").split()),
        description=str(
            metadata.get("informal_description") or metadata.get("docstring") or ""
        ).strip(),
        module=str(locator.get("module_path") or metadata.get("module_path") or ""),
        kind=str(metadata.get("kind") or ""),
    )
