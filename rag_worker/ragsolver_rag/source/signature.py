"""Signatures in Lean source: brackets, binders, where a signature ends, variables in scope."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

OPENING = "([{⟨⦃⟪"
CLOSING = ")]}⟩⦄⟫"
_BRACKET = re.compile(r"[()\[\]{}⟨⟩⦃⦄⟪⟫]")
_END = re.compile(r"[()\[\]{}⟨⟩⦃⦄⟪⟫]|:=|\bwhere\b|\n[ \t]*\||\n(?=\S)|\bderiving\b")
_COLON = re.compile(r"[()\[\]{}⟨⟩⦃⦄⟪⟫]|(?<!:):(?![:=])")
_GROUP = re.compile(r"[(\[{⦃]")
IDENTIFIER = re.compile(r"[^\W\d][\w'!?₀-₉]*(?:\.[^\W\d][\w'!?₀-₉]*)*")
_SORT = re.compile(r":\s*(?:Type|Sort)\b")
_INSTANCE_NAME = re.compile(r"^\s*[\w'✝]+\s*:(?!=)\s")


def closing_at(code: str, at: int) -> int:
    """Position after the bracket that closes the one at `at`."""
    depth = 0
    for found in _BRACKET.finditer(code, at):
        depth += 1 if found[0] in OPENING else -1
        if depth == 0:
            return found.end()
    return len(code)


def signature_end(code: str, start: int, limit: int) -> int:
    """Where the signature that begins at `start` ends: at `:=`, `where`, `|` or a new command."""
    depth = 0
    for found in _END.finditer(code, start, limit):
        mark = found[0]
        if mark in OPENING:
            depth += 1
        elif mark in CLOSING:
            depth = max(0, depth - 1)
        elif _ends_here(code, found, depth, limit):
            return found.start()
    return limit


def _ends_here(code: str, found: re.Match[str], depth: int, limit: int) -> bool:
    if found[0] == "\n":  # something at the start of a line: another command
        return True
    return depth == 0 and (found[0][0] != "\n" or _alternative(code, found.end(), limit))


def _alternative(code: str, at: int, limit: int) -> bool:
    """Whether a bar at the start of a line opens a case, and is no absolute value."""
    line_end = code.find("\n", at, limit)
    line = code[at : line_end if line_end >= 0 else limit]
    return "=>" in line or "|" not in line


def groups(text: str) -> list[str]:
    """Bracketed groups of a row of binders, brackets kept."""
    found, at = [], 0
    while (opening := _GROUP.search(text, at)) is not None:
        at = closing_at(text, opening.start())
        found.append(text[opening.start() : at])
    return found


def split_signature(signature: str) -> tuple[str, str]:
    """Binders and what is claimed or the result type, split at the colon outside all brackets."""
    depth = 0
    for found in _COLON.finditer(signature):
        if found[0] in OPENING:
            depth += 1
        elif found[0] in CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0:
            return signature[: found.start()].strip(), signature[found.end() :].strip()
    return signature.strip(), ""


def as_type(variables: Sequence[str], signature: str) -> str:
    """A signature as the type that Lean would print, roughly: `∀ binders, conclusion`."""
    binders, conclusion = split_signature(signature)
    row = " ".join(filter(None, (*variables, binders)))
    return f"∀ {row}, {conclusion}" if row and conclusion else conclusion or row


class Variable(NamedTuple):
    """One binder of a `variable` command."""

    text: str
    names: frozenset[str]
    """Names that it binds; none for an unnamed instance."""
    mentions: frozenset[str]
    is_sort: bool
    """It binds types."""

    @property
    def is_instance(self) -> bool:
        """It is written in square brackets."""
        return self.text.startswith("[")


def variables_of(text: str) -> list[Variable]:
    """The binders of a `variable` command; `(x)` alone, which only changes how, is left out."""
    found = []
    for group in groups(text):
        plain = " ".join(group.split())
        names, kind = split_signature(plain[1:-1])
        if plain[0] != "[" and not kind:
            continue
        bound = frozenset(names.split()) if plain[0] != "[" else frozenset()
        inner = _INSTANCE_NAME.sub("", plain[1:-1]) if plain[0] == "[" else kind
        mentions = frozenset(w.split(".")[0] for w in IDENTIFIER.findall(inner))
        found.append(Variable(plain, bound, mentions, bool(_SORT.search(plain))))
    return found


def in_use(variables: Sequence[Variable], text: str) -> list[str]:
    """Binders that a declaration with this text takes, types of types left out.

    A named variable is used where its name is said and not bound anew, an instance where all
    variables in it are used, as Lean decides it.
    """
    if not variables:
        return []
    bound = {name for own in variables_of(split_signature(text)[0]) for name in own.names}
    said = {word.split(".")[0] for word in IDENTIFIER.findall(text)}
    names: set[str] = set()
    for variable in variables:
        names |= variable.names
    chosen: set[int] = set()
    for place in range(len(variables) - 1, -1, -1):  # a later binder may mention earlier ones
        variable = variables[place]
        if not variable.is_instance and (variable.names - bound) & said:
            said |= variable.mentions
            chosen.add(place)
    for place, variable in enumerate(variables):
        if variable.is_instance:
            needed = variable.mentions & names
            if needed and needed <= said:
                chosen.add(place)
    return [variables[i].text for i in sorted(chosen) if not variables[i].is_sort]


_NOT_CONSTANTS = frozenset(
    [
        "Type",
        "Sort",
        "Prop",
        "fun",
        "if",
        "then",
        "else",
        "let",
        "have",
        "show",
        "by",
        "from",
        "in",
        "at",
        "with",
        "do",
    ]
)


def instance_name(
    signature: str, variables: Iterable[Variable], namespace: Sequence[str] = ()
) -> str:
    """The name that Lean gives an instance without one, as nearly as text tells; empty: none.

    What the namespace says already is not said again.
    """
    binders, conclusion = split_signature(signature)
    if not conclusion:
        return ""
    own = variables_of(binders)
    everything = [*variables, *own]
    bound = frozenset().union(*(v.names for v in everything)) if everything else frozenset()
    seen = set(namespace)
    name = "inst" + _constants(conclusion, bound, seen)
    of = "".join(
        "Of" + part
        for variable in own
        if variable.is_instance
        and (part := _constants(_INSTANCE_NAME.sub("", variable.text[1:-1]), bound, seen))
    )
    return name + of if name != "inst" else ""


def _constants(text: str, bound: frozenset[str], seen: set[str]) -> str:
    parts = []
    for word in IDENTIFIER.findall(text):
        last = word.rpartition(".")[2]
        if word.split(".")[0] in bound or word in _NOT_CONSTANTS or len(last) < 2:
            continue
        capitalised = last[0].upper() + last[1:]
        if capitalised not in seen:
            seen.add(capitalised)
            parts.append(capitalised)
    return "".join(parts)
