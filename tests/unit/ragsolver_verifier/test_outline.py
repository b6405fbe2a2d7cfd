from ragsolver_verifier.outline import outline
from suites.scripted_lean import HEADER, ScriptedSession

TEXT = "import Std\n\n/-- ∀ -/\ntheorem a : True := trivial\ntheorem b :\n    True := trivial\n"


def item(name, line, end_line, end_column):
    return {
        "name": name,
        "statement": f"theorem {name} : True",
        "pos": {"line": line, "column": 0},
        "endPos": {"line": end_line, "column": end_column},
    }


def read(**changes):
    answer = {
        "header": HEADER,
        "messages": [],
        "forbidden": [],
        "theorems": [item("a", 3, 4, 27), item("b", 5, 6, 19)],
    }
    session = ScriptedSession(lambda _: {**answer, **changes})
    return outline(session, TEXT, timeout_s=1), session


def test_theorems_keep_their_lines():
    read_file, session = read()
    first, second = read_file.theorems
    assert session.asked[0]["header"] == "import Std"
    assert first.text == "\n\n/-- ∀ -/\ntheorem a : True := trivial"
    assert second.text.splitlines()[4:] == ["theorem b :", "    True := trivial"]
    assert second.header.endswith("theorem a : True := trivial")


def test_forbidden_constructs_are_named():
    found = [{"what": "command", "name": "Lean.Parser.Command.eval", "pos": None}]
    assert read(forbidden=found)[0].forbidden == ("command Lean.Parser.Command.eval",)
