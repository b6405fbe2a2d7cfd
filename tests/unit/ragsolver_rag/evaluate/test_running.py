import pytest

from ragsolver_contracts.retrieval import VersionsPin
from ragsolver_rag.evaluate.benchmarks import Case
from ragsolver_rag.evaluate.running import VARIANTS, outcome, run_cases, variant_tuning
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.search import Parts, Search
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tuning import load_tuning
from suites import library

TUNING = load_tuning()
KNOWN = frozenset(row.decl_name for row in library.rows())


def case(*groups, query="addition is commutative", **changes):
    return Case(case_id="c:natural", query=query, style="natural", kind="theorem",
                groups=groups, **changes)  # fmt: skip


def searching(variant):
    rows = library.rows()
    index = MemoryIndex(rows, library.embed([row.embedding_text for row in rows]))
    asked = variant_tuning(variant, TUNING)
    parts = Parts(index, library.WordEncoder() if asked.dense else None)
    return Search(parts, settings=RetrieverSettings(), tuning=asked.tuning, versions=VersionsPin())


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_answers(variant):
    found = run_cases(searching(variant), [case(("Nat.add_comm",))], KNOWN, rerank=False)
    assert found[0].ranks[0] in {1, 2, 3}
    assert found[0].cause == ""
    assert found[0].latency_ms > 0


def test_variants_change_what_their_names_say():
    assert not variant_tuning("hybrid", TUNING).tuning.rescoring.enabled
    assert variant_tuning("hybrid+rerank", TUNING).tuning == TUNING
    assert variant_tuning("dense", TUNING).tuning.fusion.lexical == 0
    assert not variant_tuning("lexical+rerank", TUNING).dense


def test_why_an_answer_is_missing_is_said():
    names = [f"n{i}" for i in range(30)]
    known = frozenset([*names, "there"])
    assert outcome(case(("n20",)), names, known, 1.0).cause == "ranked low"
    assert outcome(case(("there",)), names, known, 1.0).cause == "no candidate"
    assert outcome(case(("gone",)), names, known, 1.0).cause == "not in the corpus"
    assert outcome(case(("n2", "gone")), names, known, 1.0).ranks == (3,)


def test_groups_are_measured_by_share():
    found = outcome(case(("n1",), ("x",), grouped=True), ["n0", "n1"], frozenset(["x"]), 1.0)
    assert found.measures["group R@8"] == 0.5
    assert found.ranks == (2, None)
