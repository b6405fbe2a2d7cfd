"""Whose the errors of a file are, and the file without those that concern nothing after them.

Lean goes on after an error, and so does a check: a theorem that fails must not take away the
verdicts of those after it. So they are judged under a header where its proof is `sorry`; one that
rests on it is then found out by that axiom, any other is not concerned.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ragsolver_contracts.lean import Diagnostic
from ragsolver_verifier.outline import Command, Outline, Theorem

_NO_COMMAND = "expected command"
"""How Lean's parser says that a text between two commands is none."""
_HARMLESS = frozenset({"example", "check", "print", "printAxioms", "check_failure"})
"""Commands that declare nothing."""
_SORRY = ":= sorry"


@dataclass(frozen=True)
class Mended:
    """What is wrong outside the theorems, and the text that headers are taken from.

    Attributes:
        outside: errors that belong to no theorem, in order.
        text: the file with other proofs and without what declares nothing; lines stay where they
            are. The file itself where no error can be taken out.
        candidates: for a theorem's `start`, the end of its text where that is not the command's
            end, because Lean's parser stopped inside its proof.
    """

    outside: tuple[Diagnostic, ...]
    text: str
    candidates: dict[int, int]


def mend(text: str, read: Outline) -> Mended:
    """Sort a file's errors, and take out those that concern nothing after them.

    Args:
        text: the file.
        read: its outline.
    """
    outside: list[Diagnostic] = []
    failing: dict[int, Command] = {}
    ends: dict[int, int] = {}
    cuts: list[tuple[int, int, str]] = []
    theorems = _by_command(read.theorems)
    for index, error in read.errors:
        place = _last_before(read.commands, index)
        command = read.commands[place] if place >= 0 else None
        after = _next_start(read.commands, place, len(text))
        beyond = command is not None and index >= command.stop
        if command is None or (beyond and error.text.rstrip().endswith(_NO_COMMAND)):
            outside.append(error)
            cuts.append((command.stop if command else 0, after, ""))
        elif command.start in theorems:
            failing[command.start] = command
            if beyond:
                ends[command.start] = after
        else:
            outside.append(error)
            if command.kind in _HARMLESS:
                cuts.append((command.start, after, ""))
    for start in failing:
        after = _next_start(read.commands, _last_before(read.commands, start), len(text))
        cuts += _without_proof(theorems[start], after)
    return Mended(tuple(outside), _cut(text, cuts) if read.header_ok else text, ends)


def _by_command(theorems: Sequence[Theorem]) -> dict[int, list[Theorem]]:
    grouped: dict[int, list[Theorem]] = {}
    for theorem in theorems:
        grouped.setdefault(theorem.start, []).append(theorem)
    return grouped


def _last_before(commands: Sequence[Command], index: int) -> int:
    found = [number for number, item in enumerate(commands) if item.start <= index]
    return found[-1] if found else -1


def _next_start(commands: Sequence[Command], place: int, end: int) -> int:
    return commands[place + 1].start if place + 1 < len(commands) else end


def _without_proof(theorems: list[Theorem], after: int) -> list[tuple[int, int, str]]:
    """The proof of a command's one theorem; of a `mutual` block nothing can be taken out."""
    theorem = theorems[0]
    if len(theorems) > 1 or not theorem.start < theorem.proof <= after:
        return []
    return [(theorem.proof, after, _SORRY)]


def _cut(text: str, cuts: list[tuple[int, int, str]]) -> str:
    """The text with other parts, each filled up to as many lines as before.

    Of two parts that overlap the one that starts first is replaced.
    """
    pieces, here = [], 0
    for start, stop, new in sorted(cuts):
        if start >= here:
            lines = max(text.count("\n", start, stop), 1)
            pieces += [text[here:start], new, "\n" * lines]
            here = stop
    return "".join([*pieces, text[here:]])
