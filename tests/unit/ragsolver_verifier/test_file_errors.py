import pytest

from ragsolver_contracts.lean import Diagnostic, Position
from ragsolver_verifier.file_errors import mend
from ragsolver_verifier.outline import Command, Outline, Theorem

ORIGIN = Position(line=1, column=0)


def error(text="no"):
    return Diagnostic(severity="error", text=text, start=ORIGIN)


def file(*parts, errors=()):
    """A text with its outline; each part is kind, text and, for a theorem, its proof."""
    text, commands, theorems = "", [], []
    for kind, before, *proof in parts:
        start = len(text)
        text += before + "".join(proof)
        commands.append(Command(kind, ORIGIN, start, len(text)))
        if proof:
            place = start + len(before)
            theorems.append(
                Theorem("t", ORIGIN, before, text[:start], "", start, place, len(text))
            )
        text += "\n"
    found = tuple((text.index(mark), said) for mark, said in errors)
    return text, Outline(theorems, commands, found, ())


def test_a_file_without_errors_stays_as_it_is():
    text, read = file(("theorem", "theorem a : p ", ":= q"))
    mended = mend(text, read)
    assert (mended.text, mended.outside) == (text, ())


def test_a_failing_proof_is_replaced_and_lines_stay():
    text, read = file(
        ("theorem", "theorem a : p ", ":= by\n  wrong"),
        ("theorem", "theorem b : p ", ":= q"),
        errors=[("wrong", error())],
    )
    mended = mend(text, read)
    assert mended.text == "theorem a : p := sorry\n\ntheorem b : p := q\n"
    assert mended.outside == ()


def test_where_the_parser_stopped_inside_a_proof_the_rest_belongs_to_it():
    text, read = file(
        ("theorem", "theorem a : p ", ":= by"),
        ("theorem", "theorem b : p ", ":= q"),
    )
    text = text.replace("by\n", "by\n  garbage\n")
    shift = len("  garbage\n")
    first, second = read.theorems
    moved = Command("theorem", ORIGIN, second.start + shift, second.stop + shift)
    at = text.index("garbage")
    read = Outline([first], [read.commands[0], moved], ((at, error("unknown tactic")),), ())
    mended = mend(text, read)
    assert mended.outside == ()
    assert text[: mended.candidates[0]].rstrip().endswith("garbage")
    assert "garbage" not in mended.text


@pytest.mark.parametrize("kind", ["definition", "example"])
def test_other_errors_are_the_files_own(kind):
    text, read = file((kind, "wrong"), ("theorem", "theorem b : p ", ":= q"))
    read = Outline(read.theorems, read.commands, ((0, error()),), ())
    mended = mend(text, read)
    assert mended.outside == (error(),)
    assert ("wrong" in mended.text) == (kind == "definition")


def test_text_that_is_no_command_is_taken_out():
    text = "theorem a : p := q\nlemma\n"
    theorem = Theorem("a", ORIGIN, "theorem a : p", "", "", 0, 14, 18)
    said = error("unexpected identifier; expected command")
    read = Outline([theorem], [Command("theorem", ORIGIN, 0, 18)], ((19, said),), ())
    mended = mend(text, read)
    assert mended.outside == (said,)
    assert mended.text.split() == text.split()[:-1]


def test_a_mutual_block_is_left_alone():
    text = "mutual wrong end\n"
    pair = [Theorem(n, ORIGIN, n, "", "", 0, 8, 16) for n in "ab"]
    read = Outline(pair, [Command("mutual", ORIGIN, 0, 16)], ((7, error()),), ())
    assert mend(text, read).text == text


def test_without_its_imports_nothing_is_taken_out():
    text = "import Nothing\n"
    said = error("unknown module")
    mended = mend(text, Outline([], [], ((0, said),), (), header_ok=False))
    assert (mended.text, mended.outside) == (text, (said,))


def test_of_overlapping_parts_the_first_is_taken_out():
    text = "theorem a : p := q\nlemma c : p\ntheorem b : p := q\n"
    first, second = text.index("lemma"), text.rindex("theorem")
    theorem = Theorem("a", ORIGIN, "theorem a : p", "", "", 0, 14, first + 7)
    commands = [
        Command("theorem", ORIGIN, 0, first + 7),
        Command("theorem", ORIGIN, second, len(text) - 1),
    ]
    errors = ((16, error()), (first + 8, error("unexpected token; expected command")))
    mended = mend(text, Outline([theorem], commands, errors, ()))
    assert mended.text == "theorem a : p := sorry\n\ntheorem b : p := q\n"
