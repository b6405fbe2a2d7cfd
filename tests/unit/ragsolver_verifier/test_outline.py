from ragsolver_contracts.lean import Position
from ragsolver_verifier.outline import outline
from suites.scripted_lean import HEADER, MESSAGE, ScriptedSession, outlined

TEXT = "import Std\n\n/-- ∀ -/\ntheorem a : True := trivial\ntheorem b :\n    True := trivial\n"


def read(**changes):
    answer = outlined(
        TEXT,
        ("a", "/-- ∀ -/", "theorem a", ":= trivial", "trivial"),
        ("b", "theorem b", "theorem b", ":= trivial", "trivial"),
    )
    session = ScriptedSession(lambda _: {**answer, **changes})
    return outline(session, TEXT, timeout_s=1), session


def test_theorems_keep_their_lines():
    found, session = read()
    first, second = found.theorems
    assert session.asked[0]["source"] == TEXT
    assert first.text == "\n\n/-- ∀ -/\ntheorem a : True := trivial"
    assert second.text.splitlines()[4:] == ["theorem b :", "    True := trivial"]
    assert first.header == "import Std\n\n"
    assert second.header.endswith("theorem a : True := trivial\n")
    assert first.at == Position(line=4, column=0)
    assert TEXT[first.proof : first.stop] == ":= trivial"


def test_commands_are_named_by_the_last_part_of_their_kind():
    commands = read()[0].commands
    starts = [(command.kind, TEXT[command.start :][:3]) for command in commands]
    assert starts == [("theorem", "/--"), ("theorem", "the")]


def test_forbidden_constructs_are_named():
    pos = {"line": 2, "column": 0}
    found = [{"what": "command", "name": "Lean.Parser.Command.eval", "pos": pos}]
    said = read(forbidden=found)[0]
    assert said.forbidden == ("command Lean.Parser.Command.eval",)
    assert said.forbidden_at == Position(line=2, column=0)


def test_only_errors_are_kept():
    warning = {**MESSAGE, "severity": "warning"}
    ((index, error),) = read(messages=[warning, MESSAGE])[0].errors
    assert (index, error.severity) == (0, "error")


def test_a_header_that_cannot_be_read():
    header = {**HEADER, "ok": False, "messages": [MESSAGE]}
    found = read(header=header, theorems=[], commands=[])[0]
    assert not found.header_ok
    assert len(found.errors) == 1
