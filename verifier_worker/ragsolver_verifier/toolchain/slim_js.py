"""Cut `lean.js` to the export names that it uses.

The published file spends 89 MB on one variable and one assignment for each exported
symbol. Only about fifty are read anywhere else in the file; the rest is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ragsolver_verifier.toolchain.errors import PatchMismatch

_ASSIGN: Final = "function assignWasmExports(wasmExports){"
_ASSIGN_END: Final = "}var wasmImports"
_VARIABLES: Final = "var _main,"
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_EXPORT_USE: Final = re.compile(r'wasmExports\["([^"]+)"\]')

ALWAYS_KEPT: Final = frozenset(
    {
        "memory",
        "__indirect_function_table",
        "__wasm_call_ctors",
        "_emscripten_tls_init",
        "__main_argc_argv",
        "__wasm_apply_data_relocs",
    }
)
"""Exports that the start-up needs without naming them in a form we can find."""


@dataclass(frozen=True)
class SlimScript:
    """The shortened script and the export names that it still reads."""

    text: str
    exports: frozenset[str]


def slim_js(script: str) -> SlimScript:
    """Drop the variables and assignments of exports that nothing else uses.

    Raises:
        PatchMismatch: the script lacks one of the places that the cut goes by.
    """
    start = _find(script, _ASSIGN, 0)
    body_start = start + len(_ASSIGN)
    end = _find(script, _ASSIGN_END, body_start)
    variables = script.rfind(_VARIABLES, 0, start)
    if variables < 0:
        raise PatchMismatch(f"lean.js has no {_VARIABLES!r} before its export assignments")
    variables_end = _find(script, ";", variables)
    before, between, after = (
        script[:variables],
        script[variables_end + 1 : start],
        script[end:],
    )
    used = {m.group() for part in (before, between, after) for m in _IDENTIFIER.finditer(part)}
    declared = [
        entry.partition("=")[0] for entry in script[variables + 4 : variables_end].split(",")
    ]
    needed = [name for name in declared if name in used]
    needed_set = set(needed)
    kept = [
        statement
        for statement in script[body_start:end].split(";")
        if statement and _is_needed(statement, needed_set)
    ]
    text = "".join(
        (before, "var ", ",".join(needed), ";", between, _ASSIGN, ";".join(kept), after)
    )
    return SlimScript(text, frozenset(_EXPORT_USE.findall(text)) | ALWAYS_KEPT)


def _is_needed(statement: str, needed: set[str]) -> bool:
    """True for `name=...` of a needed name, and for anything that is no assignment."""
    match = _IDENTIFIER.match(statement)
    if match is None or not statement.startswith("=", match.end()):
        return True
    return match.group() in needed


def _find(script: str, what: str, start: int) -> int:
    at = script.find(what, start)
    if at < 0:
        raise PatchMismatch(f"lean.js does not contain {what!r}")
    return at
