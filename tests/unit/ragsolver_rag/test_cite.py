from ragsolver_contracts.retrieval import Citation, CitationScores, RetrievalContext
from ragsolver_rag.cite import citation_ids, cite_declaration
from suites import library

CONTEXT = RetrievalContext(problem_id="p")


def cited(chunk, citation_id):
    return Citation(
        citation_id=citation_id,
        chunk_id=chunk,
        corpus="mathlib",
        unit_type="mathlib_decl",
        label="l",
        retrieved_for=CONTEXT,
    )


def test_numbering_begins_at_one_and_continues():
    assert citation_ids(["a", "b"], "mathlib", {}) == {"a": "M1", "b": "M2"}
    before = {"b": cited("b", "M7")}
    assert citation_ids(["a", "b", "c", "a"], "mathlib", before) == {
        "a": "M8",
        "b": "M7",
        "c": "M9",
    }


def test_each_corpus_counts_for_itself():
    assert citation_ids(["x"], "informal", {"b": cited("b", "M7")}) == {"x": "I1"}


def test_a_citation_resolves():
    row = library.rows()[0]
    made = cite_declaration(row, "M1", CitationScores(dense=0.5), CONTEXT, "u/{page}#{decl_name}")
    assert made.label == "Nat.add_comm"
    assert made.locator == {
        "decl_name": "Nat.add_comm",
        "module_path": "Init.Nat",
        "docs_url": "u/Init/Nat#Nat.add_comm",
    }
    assert made.snippet == "Nat.add_comm : ∀ (n m : Nat), n + m = m + n"
    assert "docs_url" not in cite_declaration(row, "M1", CitationScores(), CONTEXT, "").locator
