from ragsolver_rag.source.attributes import attributes
from ragsolver_rag.source.derived import derived, parts, value_of
from ragsolver_rag.source.found import Found
from ragsolver_rag.source.translate import Dictionary

ADDITIVE = {"to_additive": Dictionary("to_additive", {"mul": ("Add",)})}


def base(**changes):
    values = {"name": "N.mul_foo", "kind": "theorem", "module": "M", "type": "a * b", "line": 1}
    return Found(**values | changes)


def names(said, **changes):
    return [(f.name, f.origin) for f in derived(base(**changes), attributes(said), ADDITIVE)]


def test_attributes_make_declarations():
    assert names("simp") == []
    assert names("reassoc") == [("N.mul_foo_assoc", "reassoc")]
    assert names("ext", name="N.S", kind="structure") == [
        ("N.S.ext", "ext"),
        ("N.S.ext_iff", "ext"),
    ]
    assert names("ext", name="N.ext") == [("N.ext_iff", "ext")]
    assert names("mk_iff", name="N.Good", kind="class") == [("N.good_iff", "mk_iff")]
    assert names("mk_iff other", name="N.Good", kind="class") == [("N.other", "mk_iff")]
    assert names("to_fun") == [("N.fun_mul_foo", "to_fun")]
    assert names("simps apply") == [("N.mul_foo_apply", "simps")]
    assert names("simps", kind="def", value="where\n  toFun := f\n  map_one' := g") == [
        ("N.mul_foo_apply", "simps")
    ]


def test_translations_follow_names_types_and_what_else_was_made():
    assert names("to_additive") == [("N.add_foo", "to_additive")]
    assert names("to_additive sum_foo") == [("N.sum_foo", "to_additive")]
    assert names("to_additive _root_.other") == [("other", "to_additive")]
    assert names("to_additive existing") == []
    assert ("N.add_foo_assoc", "to_additive") in names("to_additive (attr := reassoc)")
    made = derived(base(doc="Own."), attributes("to_additive /-- Said. -/"), ADDITIVE)[0]
    assert (made.type, made.doc, made.origin_of) == ("a + b", "Said.", "N.mul_foo")


def test_parts_of_structures_and_inductive_types():
    body = "where\n  left : Nat\n  right (n : Nat) : n = n\n"
    fields = parts(base(name="S", kind="structure"), body, {8: "The left."})
    assert [(f.name, f.type, f.doc) for f in fields] == [
        ("S.left", "Nat", "The left."),
        ("S.right", "∀ (n : Nat), n = n", ""),
    ]
    made = parts(base(name="T", kind="inductive"), "\n  | one\n  | two (n : Nat) : T\n", {})
    assert [(f.name, f.kind) for f in made] == [("T.one", "ctor"), ("T.two", "ctor")]
    assert made[1].type == "∀ (n : Nat), T"


def test_a_long_body_is_cut():
    assert value_of(":= a\n\n  b") == ":= a\n  b"
    assert len(value_of("x" * 5000)) == 800
