"""Lean types, goals and statements split into what is assumed and what is concluded.

Read from pretty-printed text; no Lean runs here.
"""

import re
from typing import NamedTuple

_UNIVERSES = re.compile(r"\b(Type|Sort)\s+(u_?\w*|v|w|\*|\([^)]*\))|\.\{[^}]*\}")
_SORT = re.compile(r"(?:(?:Type|Sort|Prop)\W*)+")
_DAGGER = re.compile(r"✝[¹²³⁴⁵⁶⁷⁸⁹⁰]*")
_HEAD = re.compile(
    r"^\s*(?:@\[[^\]]*\]\s*)?(?:private\s+|protected\s+|public\s+|noncomputable\s+)*"
    r"(?:theorem|lemma|example|def|abbrev|instance)\b\s*(?:[^\s({\[:⦃]+)?"
)
_PROOF = re.compile(r":=\s*(?:by\b.*|sorry.*)?$", re.DOTALL)
_NAMED = re.compile(r"\([\w'✝\s]+ : ")
_OPEN = frozenset("({[⦃⟨")
_CLOSE = frozenset(")}]⦄⟩")
_ARROW = re.compile(r"[(){}\[\]⦃⦄⟨⟩]| → ")
_COMMA = re.compile(r"[(){}\[\]⦃⦄⟨⟩]|, ")
_COLON = re.compile(r"[(){}\[\]⦃⦄⟨⟩]|(?<!:):(?![:=])")


class Parts(NamedTuple):
    """A Lean type in two."""

    hypotheses: tuple[str, ...]
    """Types of what is assumed: binders' types and premises of implications."""
    conclusion: str


def _split(text: str, separator: re.Pattern[str], most: int = 0) -> list[str]:
    """Split at a separator outside all brackets, at most `most` times (0: at every one)."""
    pieces, depth, start = [], 0, 0
    for found in separator.finditer(text):
        token = found[0]
        if token in _OPEN:
            depth += 1
        elif token in _CLOSE:
            depth = max(0, depth - 1)
        elif depth == 0:
            pieces.append(text[start : found.start()])
            start = found.end()
            if len(pieces) == most:
                break
    pieces.append(text[start:])
    return [piece.strip() for piece in pieces]


def _after_colon(text: str) -> str:
    """The type in `name : type`; empty where there is no colon."""
    return (*_split(text, _COLON, 1), "")[1]


def _binder_types(binders: str) -> list[str]:
    """Types of a row of binders, `(n m : Nat) [inst : BEq α] [Monad m]`, universes left out."""
    groups, depth, start = [], 0, 0
    for found in _COMMA.finditer(binders):
        if found[0] in _OPEN:
            start = found.end() if depth == 0 else start
            depth += 1
        elif found[0] in _CLOSE and depth > 0:
            depth -= 1
            if depth == 0:
                groups.append((binders[start - 1], binders[start : found.start()]))
    types = [_after_colon(text) or (text if bracket == "[" else "") for bracket, text in groups]
    if not groups:
        types = [_after_colon(binders)]
    return [t for t in types if t and not _SORT.fullmatch(t)]


def split_type(text: str) -> Parts:
    """Hypotheses and conclusion of a pretty-printed type.

    Args:
        text: such as `∀ {n m : Nat}, n < m → n ≠ m`.
    """
    text = " ".join(_DAGGER.sub("", _UNIVERSES.sub(r"\1", text)).split())
    hypotheses: list[str] = []
    while True:
        if text.startswith("∀"):
            pieces = _split(text[1:], _COMMA, 1)
            if len(pieces) == 1:
                break
            hypotheses.extend(_binder_types(pieces[0]))
            text = pieces[1]
            continue
        pieces = _split(text, _ARROW)
        if len(pieces) == 1 or text.startswith(("fun ", "∃", "¬∀")):
            break
        quantified = next((i for i, p in enumerate(pieces) if p.startswith(("∀", "∃"))), None)
        cut = len(pieces) - 1 if quantified is None else min(quantified, len(pieces) - 1)
        if cut == 0:
            break
        for piece in pieces[:cut]:
            hypotheses.extend(_premise_types(piece))
        text = " → ".join(pieces[cut:])
    return Parts(tuple(h for h in hypotheses if h), text)


def _premise_types(premise: str) -> list[str]:
    """Types of what stands before an arrow: a premise, or binders such as `{α : Type u}`."""
    if premise.startswith(("{", "[", "⦃")) or _NAMED.match(premise):
        return _binder_types(premise)
    return [] if _SORT.fullmatch(premise) else [_bare(premise)]


def _bare(text: str) -> str:
    """A formula without the parentheses around all of it."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[1:-1] if text.startswith("(") and at == len(text) - 1 else text
    return text


def split_statement(text: str) -> Parts:
    """Hypotheses and conclusion of a Lean statement, a goal, or a bare proposition.

    Args:
        text: `theorem t (n : Nat) (h : 0 < n) : n ≠ 0 := by sorry`, `h : 0 < n ⊢ n ≠ 0`, or
            `∀ n, 0 < n → n ≠ 0`.
    """
    text = _PROOF.sub("", text).strip()
    if "⊢" in text:
        context, _, goal = text.rpartition("⊢")
        local = [kept for line in context.splitlines() if (kept := _after_colon(line))]
        parts = split_type(goal)
        return Parts((*local, *parts.hypotheses), parts.conclusion)
    headless = _HEAD.sub("", text, count=1)
    if headless != text:
        pieces = _split(headless, _COLON, 1)
        if len(pieces) > 1:
            parts = split_type(pieces[1])
            return Parts((*_binder_types(pieces[0]), *parts.hypotheses), parts.conclusion)
    return split_type(text)
