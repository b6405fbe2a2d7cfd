import pytest

from ragsolver_rag.source.signature import (
    as_type,
    closing_at,
    groups,
    in_use,
    instance_name,
    signature_end,
    split_signature,
    variables_of,
)


def test_brackets_are_matched():
    assert closing_at("f (a [b] c) d", 2) == 11
    assert closing_at("(a", 0) == 2
    assert groups("{a b : α} (h : a = (b)) [Foo α] x") == ["{a b : α}", "(h : a = (b))", "[Foo α]"]


@pytest.mark.parametrize(
    ("code", "signature"),
    [
        ("(n : Nat) : n = n := rfl", "(n : Nat) : n = n"),
        ("(n : Nat := 1) : n = n where\n  x := 1", "(n : Nat := 1) : n = n"),
        (": Nat → Nat\n  | 0 => 1\n  | n => n", ": Nat → Nat"),
        (": |x| ≤ 1 ∧\n  |y| ≤ 1 := h", ": |x| ≤ 1 ∧\n  |y| ≤ 1"),
        (": True\ntheorem next", ": True"),
        (": True", ": True"),
        (": Type deriving Repr", ": Type"),
    ],
)
def test_a_signature_ends_before_its_proof(code, signature):
    assert code[: signature_end(code, 0, len(code))].rstrip() == signature


def test_binders_and_claim_are_split_at_the_outer_colon():
    assert split_signature("(h : a = b) {n} : n ∈ {x | x : T}") == (
        "(h : a = b) {n}",
        "n ∈ {x | x : T}",
    )
    assert split_signature("(a : Nat)") == ("(a : Nat)", "")
    assert as_type(["[Foo α]"], "(a : α) : a = a") == "∀ [Foo α] (a : α), a = a"
    assert as_type([], ": True") == "True"


VARIABLES = variables_of("{α : Type u} [Join α] {a b : α} (h : a = b) (α) [Bar β] {β : Type*}")


def test_only_the_variables_in_use_are_taken():
    assert [v.text for v in VARIABLES if v.is_sort] == ["{α : Type u}", "{β : Type*}"]
    assert in_use(VARIABLES, ": a = a") == ["[Join α]", "{a b : α}"]
    assert in_use(VARIABLES, ": h ▸ x = y") == ["[Join α]", "{a b : α}", "(h : a = b)"]
    assert in_use(VARIABLES, ": True") == []
    assert in_use(VARIABLES, "{a b : Nat} : a = b") == []
    assert in_use([], ": a = a") == []


def test_an_instance_is_named_as_lean_does():
    assert instance_name(": Nonempty (Option α)", VARIABLES) == "instNonemptyOption"
    assert instance_name("[Fintype α] : Finite α", VARIABLES) == "instFiniteOfFintype"
    assert instance_name(": Norm (Hamming β)", VARIABLES, ["Hamming"]) == "instNorm"
    assert instance_name("(a : Nat)", VARIABLES) == ""
