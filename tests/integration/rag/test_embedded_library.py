"""Questions to Lean's own library whose answers are known.

Written by hand without looking at the ranking; where several declarations answer, each counts.
Measured: 33 of 35 within ten, 23 in the first place.
"""

import pytest

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalFilters, RetrievalRequest

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

CONTEXT = RetrievalContext(problem_id="p")
IN_TEN = 30
"""Least number of questions answered within ten; below what is measured."""
FIRST = 18

WORDS = {
    "addition of natural numbers is commutative": "Nat.add_comm",
    "multiplication of integers is associative": "Int.mul_assoc",
    "if a divides b and b divides c then a divides c, for natural numbers": "Nat.dvd_trans",
    "greatest common divisor of natural numbers is symmetric": "Nat.gcd_comm",
    "reversing a list twice gives the same list": "List.reverse_reverse",
    "length of the concatenation of two lists": "List.length_append",
    "law of excluded middle": "Classical.em",
    "a natural number is either zero or positive": "Nat.eq_zero_or_pos",
    "mapping a composition over a list": "List.map_map",
    "the remainder is smaller than the modulus": "Nat.mod_lt",
    "strong induction on natural numbers": "Nat.strongRecOn",
    "double negation elimination": "Classical.byContradiction Decidable.not_not",
    "de Morgan: negation of a disjunction": "not_or",
    "less than or equal is antisymmetric on the integers": "Int.le_antisymm",
    "product of two powers with the same base adds exponents": "Nat.pow_add Int.pow_add",
    "filtering a list twice with the same predicate": "List.filter_filter",
    "xor of a bitvector with itself is zero": "BitVec.xor_self",
    "subtracting a natural number from itself gives zero": "Nat.sub_self",
    "the product of gcd and lcm equals the product of the numbers": "Nat.gcd_mul_lcm",
    "absolute value of a product of integers": "Int.natAbs_mul",
    "cancel a common positive factor on both sides of an equation of naturals": (
        "Nat.eq_of_mul_eq_mul_left Nat.mul_left_cancel Nat.mul_right_cancel"
    ),
    r"$\gcd(m, n) \mid m$": "Nat.gcd_dvd_left",
}

FORMULAS = {
    "n % 2 = 0 ∨ n % 2 = 1": "Nat.mod_two_eq_zero_or_one",
    "theorem t (a b c : Nat) : a * (b + c) = a * b + a * c := by sorry": "Nat.mul_add",
    "theorem t (a b : Int) (h : a ≤ b) (h2 : b ≤ a) : a = b": "Int.le_antisymm",
    "(p → q) → (¬q → ¬p)": "mt",
    "∀ (a b n : Nat), (a * b) % n = ((a % n) * (b % n)) % n": "Nat.mul_mod",
    "l₁.length + l₂.length = (l₁ ++ l₂).length": "List.length_append",
    "x ∈ l₁ ++ l₂ ↔ x ∈ l₁ ∨ x ∈ l₂": "List.mem_append",
    "¬(p ∧ q) ↔ ¬p ∨ ¬q": "Classical.not_and_iff_not_or_not Decidable.not_and_iff_not_or_not",
}

MESSAGES = {
    "unknown identifier 'Nat.add_comm'": "Nat.add_comm",
    "Unknown constant `Nat.gcd_self_mul`": "Nat.gcd_self Nat.gcd_mul_self_left",
    "unknown identifier 'Nat.mul_distrib'": "Nat.left_distrib Nat.right_distrib Nat.mul_add",
    "unknown identifier 'List.reverse_append_distrib'": "List.reverse_append",
    "unknown constant 'Int.add_commm'": "Int.add_comm",
}

QUESTIONS = [
    (mode, query, answers.split())
    for mode, asked in (("nl", WORDS), ("formal", FORMULAS), ("error", MESSAGES))
    for query, answers in asked.items()
]


def ask(search, mode, query, **changes):
    request = RetrievalRequest(
        queries=(query,), mode=mode, k=10, rerank=False, context=CONTEXT, **changes
    )
    return [hit.metadata["decl_name"] for hit in search.search(request).hits]


def test_known_answers_are_found(embedded_search):
    found = [(q, answers, ask(embedded_search, mode, q)) for mode, q, answers in QUESTIONS]
    missed = [q for q, answers, names in found if not set(answers) & set(names)]
    first = [q for q, answers, names in found if names[0] in answers]
    assert len(QUESTIONS) - len(missed) >= IN_TEN, missed
    assert len(first) >= FIRST


@pytest.mark.parametrize("name", ["Nat.add_comm", "List.reverse_reverse", "Std.HashMap.insert"])
def test_an_identifier_that_exists_comes_first(embedded_search, name):
    for message in (f"unknown identifier '{name}'", f"Unknown constant `{name}`", name):
        assert ask(embedded_search, "error", message)[0] == name


@pytest.mark.parametrize("message", ["unknown constant 'Int.add_commm'", "Nat.addComm"])
def test_a_misspelt_identifier_finds_what_was_meant(embedded_search, message):
    meant = "Int.add_comm" if "Int" in message else "Nat.add_comm"
    assert meant in ask(embedded_search, "error", message)[:3]


def test_filters_hold_in_the_real_index(embedded_search):
    filters = RetrievalFilters(kinds=("inductive",))
    request = RetrievalRequest(
        queries=("natural numbers",), k=10, filters=filters, context=CONTEXT
    )
    result = embedded_search.search(request)
    assert len(result.hits) == 10
    assert {hit.metadata["kind"] for hit in result.hits} == {"inductive"}


def test_an_answer_is_the_same_every_time(embedded_search):
    request = RetrievalRequest(queries=("gcd divides", "lcm"), k=10, context=CONTEXT)
    first, second = (embedded_search.search(request) for _ in range(2))
    assert first.hits == second.hits
    assert first.trace.versions.mathlib_tag.startswith("lean4-core 4.")
    assert len(first.trace.versions.index_version) == 12
