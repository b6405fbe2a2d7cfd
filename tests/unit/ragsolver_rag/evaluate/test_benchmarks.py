import json

import pytest

from ragsolver_rag.evaluate.benchmarks import BenchmarkError, read_benchmark

QUERIES = {
    "id": "O1", "full_name": "Foo", "kind": "class", "difficulty": "Easy",
    "q1a_lean": "a `b`", "q1b_latex": "", "q2_slogan": "a foo",
}  # fmt: skip
PREMISES = {
    "id": "p1", "NL_main_result": "It is so.",
    "formal_statement": "import M\n/-- theorem of doc -/\nlemma x (n : Nat) : n = n := sorry",
    "premise_group": [{"kind": "original", "docs": ["A", "B"]}, {"docs": ["C"]}],
}  # fmt: skip


def write(folder, rows):
    path = folder / "b.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_every_query_that_is_not_empty_is_a_case(tmp_path):
    found = read_benchmark("mathlibqr", write(tmp_path, [QUERIES]))
    assert [(c.style, c.query, c.groups) for c in found] == [
        ("lean", "a `b`", (("Foo",),)),
        ("slogan", "a foo", (("Foo",),)),
    ]
    assert not found[0].grouped


def test_a_theorem_is_asked_in_words_and_formally(tmp_path):
    found = read_benchmark("mathlibmpr", write(tmp_path, [PREMISES]))
    assert [(c.mode, c.query) for c in found] == [
        ("nl", "It is so."),
        ("formal", "lemma x (n : Nat) : n = n := sorry"),
    ]
    assert found[1].groups == (("A", "B"), ("C",))
    assert found[0].grouped


@pytest.mark.parametrize("rows", [[], {"a": 1}, [{"id": 1}]])
def test_other_files_are_refused(tmp_path, rows):
    for benchmark in ("mathlibqr", "mathlibmpr"):
        if rows == [{"id": 1}] and benchmark == "mathlibqr":
            continue  # a row without any query has no case
        with pytest.raises(BenchmarkError, match=r"b\.json"):
            read_benchmark(benchmark, write(tmp_path, rows))


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(BenchmarkError, match="cannot be read"):
        read_benchmark("mathlibqr", tmp_path / "no.json")
