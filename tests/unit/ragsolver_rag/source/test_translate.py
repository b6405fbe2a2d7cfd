from ragsolver_rag.source.translate import Dictionary, read_dictionaries, split_case

RULES = """def nameDict : Std.HashMap String (List String) := .ofList [
  ("one", ["Zero"]),
  ("mul", ["Add"]),
  ("monoid", ["Add", "Monoid"]),
  -- ("dropped", ["Nothing"]),
]
def abbreviationDict : Std.HashMap String String := .ofList [
  ("zero_le", "Nonneg"),
  ("addComm", "AddComm")]
"""


def test_names_are_split_in_words():
    assert split_case("InvHMul_ne_top") == ["Inv", "HMul", "_", "ne", "_", "top"]
    assert split_case("toLEquiv") == ["to", "LE", "quiv"] or split_case("oneLEOne") == [
        "one", "LE", "One",
    ]  # fmt: skip


def test_the_rules_of_the_tree_are_used(tmp_path):
    folder = tmp_path / "Mathlib" / "Tactic" / "Translate"
    folder.mkdir(parents=True)
    (folder / "ToAdditive.lean").write_text(RULES)
    found = read_dictionaries([tmp_path / "elsewhere", tmp_path])["to_additive"]
    assert found.name("Monoid.mul_one") == "AddMonoid.add_zero"
    assert found.name("one_le_mul") == "nonneg_add"
    assert found.name("MulOneClass") == "AddZeroClass"
    assert found.formula("a * One.one = mul_one a") == "a + Zero.zero = add_zero a"
    assert "dropped" not in found.words


def test_without_rules_a_few_own_ones_do(tmp_path):
    found = read_dictionaries([tmp_path])
    assert found["to_additive"].name("mul_inv") == "add_neg"
    assert found["to_dual"].formula("a ⊔ b") == "a ⊓ b"
    assert found["to_dual"].name("sup_le") == "inf_le"


def test_what_no_rule_knows_stays():
    assert Dictionary("to_additive").name("Foo.barBaz") == "Foo.barBaz"
