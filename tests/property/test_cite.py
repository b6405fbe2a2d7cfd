"""Behaviour contract `cite`: contracts/behaviour/cite.yaml."""

from hypothesis import given
from hypothesis import strategies as st

from ragsolver_contracts.retrieval import Citation, CitationScores, RetrievalContext
from ragsolver_rag.cite import citation_ids, cite_declaration
from ragsolver_rag.index import DeclarationRow

CONTEXT = RetrievalContext(problem_id="p")
chunks = st.lists(st.sampled_from([f"doc:mathlib_decl:{i}" for i in range(15)]), max_size=8)
retrievals = st.lists(chunks, max_size=6)


def citation(chunk, citation_id):
    return Citation(
        citation_id=citation_id,
        chunk_id=chunk,
        corpus="mathlib",
        unit_type="mathlib_decl",
        label=chunk,
        retrieved_for=CONTEXT,
    )


def problem_of(rounds, corpus="mathlib", cited=None):
    """Every id given over a problem, as (chunk, id), and the citations at its end."""
    cited = dict(cited or {})
    given_ids = []
    for found in rounds:
        ids = citation_ids(found, corpus, cited)
        given_ids += ids.items()
        for chunk, citation_id in ids.items():
            cited.setdefault(chunk, citation(chunk, citation_id))
    return given_ids, cited


@given(retrievals)
def test_ids_and_chunks_correspond_one_to_one(rounds):
    pairs = set(problem_of(rounds)[0])
    assert len(pairs) == len({chunk for chunk, _ in pairs}) == len({i for _, i in pairs})
    assert {chunk for chunk, _ in pairs} == {chunk for found in rounds for chunk in found}


@given(retrievals)
def test_numbering_has_no_gaps(rounds):
    ids = {citation_id for _, citation_id in problem_of(rounds)[0]}
    assert ids == {f"M{number}" for number in range(1, len(ids) + 1)}


@given(retrievals, chunks)
def test_a_chunk_keeps_its_id(rounds, again):
    _, cited = problem_of(rounds)
    later = citation_ids(again, "mathlib", cited)
    assert all(later[c] == cited[c].citation_id for c in again if c in cited)


names = st.from_regex(r"[A-Z][a-z]{1,5}(\.[a-z_]{1,8}['?!]?){1,3}", fullmatch=True)


@given(names, names)
def test_locators_resolve(name, module):
    row = DeclarationRow(
        chunk_id="d:mathlib_decl:0",
        doc_id="d",
        order=0,
        decl_name=name,
        kind="theorem",
        module_path=module,
        signature="p",
        type="p",
    )
    template = "docs/{page}.html#{decl_name}"
    locator = cite_declaration(row, "M1", CitationScores(), CONTEXT, template).locator
    assert (locator["decl_name"], locator["module_path"]) == (name, module)
    assert locator["docs_url"] == f"docs/{module.replace('.', '/')}.html#{name}"
    assert not any(c.isspace() for c in locator["docs_url"])


@given(retrievals, chunks)
def test_the_other_corpus_moves_no_number(rounds, informal):
    theirs = {f"pdf {c}": citation(f"pdf {c}", f"I{n}") for n, c in enumerate(set(informal), 1)}
    assert problem_of(rounds, cited=theirs)[0] == problem_of(rounds)[0]


@given(retrievals, st.sets(st.integers(0, 14)), chunks)
def test_a_hole_is_not_filled(rounds, missing, found):
    _, cited = problem_of(rounds)
    newest = list(cited)[-1:]
    known = {c: x for n, (c, x) in enumerate(cited.items()) if n not in missing or c in newest}
    taken = {x.citation_id for x in cited.values()}
    fresh = [f"new {chunk}" for chunk in found]
    assert not taken & set(citation_ids(fresh, "mathlib", known).values())
