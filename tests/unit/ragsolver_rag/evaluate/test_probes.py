import numpy as np

from ragsolver_rag.evaluate.probes import exact_by_meaning, name_questions, names_found, recall
from ragsolver_rag.index import Place
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.meaning import Meanings
from suites import library


def rows():
    changes = {
        "Nat.mul_comm": {"deprecated": "2020-01-01", "successor": "Nat.gcd_comm"},
        "Nat.gcd_comm": {"deprecated": "2021-01-01", "successor": "Nat.add_comm"},
        "Nat.add_comm": {"docstring": "Said."},
        "Int.add_comm": {"docstring": "Said."},
    }
    return [row.model_copy(update=changes.get(row.decl_name, {})) for row in library.rows()]


def places(orders):
    return lambda query, limit, filters: [Place(order, 1.0) for order in orders]


def test_recall_is_the_share_of_the_true_nearest():
    queries = [np.ones(3, np.float32)] * 2
    assert recall(places([1, 2]), places([2, 3, 4, 5]), queries) == 0.25
    assert recall(places([1]), places([1]), []) == 0.0


def test_learned_vectors_are_compared_one_by_one():
    own = np.eye(13, 4, dtype=np.float16)
    index = MemoryIndex(library.rows(), np.zeros((0, 0)), Meanings(own, own))
    query = np.array([0.1, 0.9, 0.2, 0.0], np.float32)
    found = exact_by_meaning(index)(query, 2, None)
    assert [place.order for place in found] == [1, 2]


def test_names_are_asked_with_what_is_meant():
    asked = name_questions(rows(), 10, 1)
    assert sorted(asked["known"]) == [(n, n) for n in ("Int.add_comm", "Nat.add_comm", "Nat.gcd")]
    assert dict(asked["deprecated"]) == {
        "Nat.mul_comm": "Nat.add_comm",
        "Nat.gcd_comm": "Nat.add_comm",
    }
    assert all(len(wrong) == len(name) - 1 for wrong, name in asked["misspelt"])
    assert name_questions(rows(), 10, 1) == asked


def test_the_first_hit_counts():
    found = names_found(lambda request: ["a", "b"], [("x", "a"), ("y", "b"), ("z", "c")])
    assert (found.asked, round(found.first, 2), round(found.among_five, 2)) == (3, 0.33, 0.67)
    assert found.missed == (("y", "b", "a"), ("z", "c", "a"))
