"""Finding the open problems of a plain `.lean` file: the theorems whose proof is `sorry`.

This is reading, not elaborating: only Lean decides what the text means. Comments and strings are
blanked first, so that a keyword inside them is not seen.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_COMMANDS = (
    r"abbrev|alias|attribute|axiom|builtin_initialize|class|declare_syntax_cat|def|deriving|elab|"
    r"elab_rules|end|example|export|import|include|inductive|infix|infixl|infixr|init_quot|"
    r"initialize|instance|lemma|local|macro|macro_rules|mutual|namespace|noncomputable|"
    r"notation|omit|opaque|open|postfix|prefix|private|protected|run_cmd|scoped|section|"
    r"set_option|structure|syntax|theorem|universe|unsafe|variable"
)
_COMMAND = re.compile(rf"^(?:@\[|#\w|(?:{_COMMANDS})\b)", re.MULTILINE)
MODIFIERS = re.compile(r"(?:@\[[^\]]{0,2000}\]\s*|(?:private|protected|noncomputable)\s+){0,9}")
THEOREM = re.compile(r"(?:(?:theorem|lemma)\s+([^\s:({\[⦃]+)|example\b)")
_SORRY_PROOF = re.compile(r":=\s*(?:by\s+)?sorry\s*\Z")
SORRY = re.compile(r"(?<![\w.])sorry(?![\w.])")
_BINDING = re.compile(r"(?:let|have|letI|haveI|set)\b")
_OPEN, _CLOSE = "([{⟨⦃", ")]}⟩⦄"


@dataclass(frozen=True)
class LeanProblem:
    """One theorem of a `.lean` file whose proof is missing."""

    name: str
    statement: str
    """`theorem name … : type`, ending before `:=`."""
    header: str
    """The file's text before it, without the other open problems."""
    doc: str
    """Its documentation comment."""
    line: int
    """1-based line of its keyword."""
    sketch: str = ""
    """What follows `:=`, where that is more than one `sorry`."""


def lean_problems(text: str) -> Iterator[LeanProblem]:
    """Every theorem, lemma or example of a Lean file whose proof ends in `sorry`, in order."""
    masked = mask(text)
    header, written = "", 0
    for start, end in commands(masked):
        found = _open_problem(text, masked, start, end)
        if found is None:
            continue
        keyword_at, name, statement, sketch = found
        header, doc = split_doc(header + text[written:start])
        # What follows the proof may be the documentation comment of the next declaration.
        written = start + len(masked[start:end].rstrip())
        line = text.count("\n", 0, keyword_at) + 1
        yield LeanProblem(
            name or f"example_{line}",
            statement if name else re.sub(r"\Aexample", f"theorem example_{line}", statement),
            header.strip(),
            doc,
            line,
            sketch,
        )


def commands(masked: str) -> list[tuple[int, int]]:
    """Start and end of every command of a Lean text, told by words at the beginning of a line.

    Args:
        masked: the text with comments and strings blanked.
    """
    starts = [match.start() for match in _COMMAND.finditer(masked)]
    starts = [s for i, s in enumerate(starts) if i == 0 or not _continues(masked, starts[i - 1])]
    return list(zip(starts, [*starts[1:], len(masked)][: len(starts)], strict=True))


def split_doc(header: str) -> tuple[str, str]:
    """The header without the documentation comment at its end, and that comment's words."""
    opened = header.rfind("/--")
    if opened < 0 or not header.rstrip().endswith("-/"):
        return header, ""
    words = header[opened:].rstrip().removeprefix("/--").removesuffix("-/")
    return header[:opened], " ".join(words.split())


def _continues(masked: str, start: int) -> bool:
    """Whether the command at `start` is only attributes or modifiers of the one after it."""
    modifiers = MODIFIERS.match(masked, start)
    return bool(modifiers and "\n" in modifiers[0])


def _open_problem(
    text: str, masked: str, start: int, end: int
) -> tuple[int, str | None, str, str] | None:
    """Position of the keyword, name, statement and sketch of the command, if it is open."""
    block = masked[start:end].rstrip()
    modifiers = MODIFIERS.match(block)
    at = modifiers.end() if modifiers else 0
    head = THEOREM.match(block, at)
    if head is None or not SORRY.search(block):
        return None
    proof = _SORRY_PROOF.search(block)
    stop = proof.start() if proof else first_assignment(block)
    if stop is None:
        return None
    statement = text[start + at : start + stop].strip()
    begins = start + stop + masked[start + stop : end].index(":=") + len(":=")
    sketch = "" if proof else text[begins : start + len(block)].strip()
    return start + at, head[1], re.sub(r"\Alemma\b", "theorem", statement), sketch


def first_assignment(block: str) -> int | None:
    """Position of the `:=` that begins the proof: outside of all brackets, and of no `let`.

    Args:
        block: one command, with comments and strings blanked.
    """
    depth = bindings = 0
    for position, character in enumerate(block):
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth -= 1
        elif depth == 0 and block.startswith(":=", position):
            if not bindings:
                return position
            bindings -= 1
        elif depth == 0 and _BINDING.match(block, position):
            before = block[position - 1 : position]
            bindings += not (before.isalnum() or before in ("_", ".", "'", "«"))
    return None


_TOKEN = re.compile(
    r'/-|--[^\n]*|r#*"|"(?:\\.|[^"\\])*(?:"|\\?\Z)|\'(?:\\[^\']*|[^\\\'\n])\'', re.DOTALL
)
_IN_COMMENT = re.compile(r"/-|-/")


def mask(text: str, *, strings: bool = True) -> str:
    """The text with comments blanked, position by position, line ends kept; strings as well."""
    kept, position, depth, opened = list(text), 0, 0, 0
    while match := (_IN_COMMENT if depth else _TOKEN).search(text, position):
        position = match.end()
        if match[0] == "/-":
            opened = match.start() if depth == 0 else opened
            depth += 1
        elif match[0] == "-/":
            depth -= 1
            if depth == 0:
                _blank(kept, opened, position)
        elif match[0].startswith("r") and not match[0].endswith("r"):
            closing = text.find('"' + "#" * (len(match[0]) - 2), position)
            position = closing + 1 if closing >= 0 else len(text)
            if strings:
                _blank(kept, match.start(), position)
        elif strings or match[0].startswith("--"):
            _blank(kept, match.start(), position)
    if depth:
        _blank(kept, opened, len(text))
    return "".join(kept)


def _blank(kept: list[str], start: int, end: int) -> None:
    kept[start:end] = ["\n" if character == "\n" else " " for character in kept[start:end]]
