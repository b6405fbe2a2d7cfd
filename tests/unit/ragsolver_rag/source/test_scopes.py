from ragsolver_rag.source.scopes import Scopes
from ragsolver_rag.source.signature import variables_of


def test_namespaces_are_entered_and_left_part_by_part():
    scopes = Scopes()
    scopes.enter("namespace", "A.B")
    scopes.enter("section", "x")
    assert scopes.qualified("c.d") == "A.B.c.d"
    assert scopes.qualified("_root_.e") == "e"
    assert scopes.qualified("«odd name»") == "A.B.odd name"
    scopes.leave("x")
    scopes.leave("B")
    assert scopes.namespace == ["A"]
    scopes.leave("A")
    scopes.leave("nothing")
    assert scopes.qualified("f") == "f"


def test_variables_end_with_their_section():
    scopes = Scopes()
    scopes.enter("section", "")
    scopes.declare(variables_of("{a : Nat}"))
    assert [v.text for v in scopes.variables] == ["{a : Nat}"]
    scopes.leave("")
    assert scopes.variables == []


def test_a_name_may_mean_several_things():
    scopes = Scopes()
    scopes.enter("namespace", "A.B")
    scopes.open(["C"])
    assert scopes.candidates("x") == ("A.B.x", "A.x", "C.x", "x")
    assert scopes.candidates("_root_.x") == ("x",)
