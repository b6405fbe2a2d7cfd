import pytest

from ragsolver_verifier.header import (
    compatibility_header,
    imports_mathlib,
    lookup_header,
    opened_namespaces,
    plain_header,
    plain_text,
    split_imports,
)

PUBLISHED = (
    "import Mathlib\n\nset_option maxHeartbeats 0\n\nopen BigOperators Real Nat Topology Rat"
)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (PUBLISHED, True),
        ("import Mathlib.Data.Nat.Prime", True),
        ("import Std\nimport Aesop", True),
        ("import Std", False),
        ("", False),
        ("-- import Mathlib", False),
        ("/- so that\nimport Mathlib\nis not needed -/\nimport Std", False),
        ("\ufeff/-! # A title\n-/\r\nimport Std import Mathlib.Tactic\r\n", True),
        ("open Nat\nimport Mathlib", False),
    ],
)
def test_mathlib_is_recognised(header, expected):
    assert imports_mathlib(header) is expected


def test_opened_namespaces_in_order():
    assert opened_namespaces(PUBLISHED) == ("BigOperators", "Real", "Nat", "Topology", "Rat")
    assert opened_namespaces("open scoped Nat\nopen Nat") == ("Nat",)


def test_the_published_header_becomes_a_core_header():
    made = compatibility_header(PUBLISHED, frozenset({"BigOperators", "Real", "Topology"}))
    lines = made.splitlines()
    assert "import Mathlib" not in lines
    assert lines[-1] == "open Nat Rat"
    assert 'notation "ℕ" => Nat' in lines
    assert not any("maxHeartbeats" in line for line in lines)


def test_other_imports_stay_first():
    made = compatibility_header("import Mathlib\nimport Std\ndef two := 2", frozenset())
    assert made.splitlines()[0] == "import Std"
    assert made.splitlines()[-1] == "def two := 2"


def test_positions_stay_when_imports_are_split_off():
    imports, rest = split_imports("-- a file\nimport Std\n\ntheorem foo : True := trivial\n")
    assert imports == "import Std"
    assert rest.splitlines().index("theorem foo : True := trivial") == 3


def test_namespaces_are_looked_up_where_a_fresh_session_is_warm():
    assert lookup_header(PUBLISHED) == compatibility_header("", frozenset())
    assert lookup_header("import Lean\nopen Nat").splitlines()[:2] == ["import Std", "import Lean"]


def test_a_header_with_comments_and_repetitions_becomes_a_core_header():
    header = (
        "\ufeff/-! A title\r\nimport Foo\r\n-/\r\nimport Mathlib -- all\r\nimport Init.Omega\r\n"
        "import  Init.Omega\r\n-- open Real\r\nopen Nat  \r\nopen Nat Real /- both -/\r\n"
        'open Nat in\r\nnotation "--" => Nat\r\n'
    )
    assert opened_namespaces(header) == ("Nat", "Real")
    lines = compatibility_header(header, frozenset({"Real"})).split("\n")
    assert lines[:2] == ["import Std", "import Init.Omega"]
    assert lines[-4:] == ["open Nat", "open Nat", "open Nat in", 'notation "--" => Nat']


def test_imports_are_split_off_wherever_they_stand_at_the_top():
    text = "\ufeff/- import A -/ import B import B\r\npublic import C -- so\r\nimport\r\n D\r\nx y"
    imports, rest = split_imports(text)
    assert imports == "import B\npublic import C\nimport D"
    assert rest.split("\n")[-1] == "x y"
    assert len(rest) == len(plain_text(text))
    assert "import A" in rest


def test_module_documentation_before_imports_is_a_comment():
    assert plain_header("/-! a -/\r\nimport Std\r\n/-! b -/") == "/-  a -/\nimport Std\n/-! b -/"
    assert plain_header("\ufeff/-! a -/\nopen Nat") == "/-! a -/\nopen Nat"
