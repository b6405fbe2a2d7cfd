"""Headers: the problem's own, and the core-Lean header for a problem that imports Mathlib."""

import re

_IMPORT = re.compile(
    r"^\s*(?:public\s+|meta\s+|private\s+)*import\s+(?:all\s+)?(\S+)", re.MULTILINE
)
_MATHLIB = frozenset({"Mathlib", "MathlibExtras", "Batteries", "Aesop", "ProofWidgets"})
_OPEN = re.compile(r"^\s*open\s+((?:scoped\s+)?[\w.«»' \t]+)$")
LIBRARY = "import Std"
"""All of the core library that the embedded index holds: Init and Std."""

_HEARTBEATS = re.compile(r"^\s*set_option\s+maxHeartbeats\s+\d+\s*$")
_NUMBERS = ("set_option autoImplicit false", 'notation "ℕ" => Nat', 'notation "ℤ" => Int')


def imports_mathlib(header: str) -> bool:
    """Whether a header imports Mathlib, a part of it, or a library that comes with it."""
    return any(name.split(".")[0] in _MATHLIB for name in _IMPORT.findall(header))


def lookup_header(header: str) -> str:
    """The header under which a problem's namespaces are looked up: core Lean, nothing opened."""
    lines = [line for line in header.splitlines() if _IMPORT.match(line)]
    return compatibility_header("\n".join(lines), frozenset())


def opened_namespaces(header: str) -> tuple[str, ...]:
    """Namespaces that the header's `open` lines name, in order, each once."""
    found: dict[str, None] = {}
    for line in header.splitlines():
        match = _OPEN.match(line)
        if match:
            found.update(dict.fromkeys(match[1].removeprefix("scoped").split()))
    return tuple(found)


def compatibility_header(header: str, missing_namespaces: frozenset[str]) -> str:
    """The header under which core Lean may elaborate a Mathlib statement.

    `Std` is imported, which Mathlib includes, so that whatever the index of the core library finds
    can be used. Imports of Mathlib and unlimited heartbeats are dropped, `ℕ` and `ℤ` become
    notations, auto-implicit variables are switched off as in Mathlib, and namespaces that do not
    exist are not opened. Everything else stays as it is.

    Args:
        header: the problem's header.
        missing_namespaces: those of `opened_namespaces` that core Lean does not have.
    """
    imports, rest = [], []
    for line in header.splitlines():
        imported = _IMPORT.match(line)
        opened = _OPEN.match(line)
        if imported:
            if imported[1].split(".")[0] not in _MATHLIB:
                imports.append(line)
        elif opened:
            names = opened[1].removeprefix("scoped").split()
            kept = [name for name in names if name not in missing_namespaces]
            if kept:
                rest.append(f"open {' '.join(kept)}")
        elif line.strip() and not _HEARTBEATS.match(line):
            rest.append(line)
    if LIBRARY not in imports:
        imports.insert(0, LIBRARY)
    return "\n".join([*imports, *_NUMBERS, *rest])


def split_imports(text: str) -> tuple[str, str]:
    """A file's import lines, and its text with these lines blanked (positions stay the same)."""
    lines = text.splitlines(keepends=True)
    imports = [line.strip() for line in lines if _IMPORT.match(line)]
    rest = ["\n" if _IMPORT.match(line) else line for line in lines]
    return "\n".join(imports), "".join(rest)
