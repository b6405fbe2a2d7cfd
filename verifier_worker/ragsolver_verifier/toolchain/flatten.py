"""Join the parts of a Lean program into one text.

A program `P.lean` may have parts: modules of its own in the folder `P` beside it, imported
as `P.Part`. A native toolchain builds them like any modules. The embedded one compiles one
file, so there the parts are joined: one header with the imports of other libraries, then
each part once, after those that it imports. Comments say where the following lines are
from.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

IMPORT: Final = re.compile(
    r"^(?:public\s+)?(?:meta\s+)?import\s+(?P<module>[\w.]+)[^\S\n]*$", re.M
)
"""One import, alone on its line."""
_HEADER: Final = re.compile(rf"\A(?:(?:module|{IMPORT.pattern})?[^\S\n]*\n)*", re.M)


def flatten(program: Path) -> str:
    """The program with its parts as one text; the file as it is if it has none.

    Every part starts with `module` and its imports, before any comment.

    Args:
        program: the file that defines `main`.

    Raises:
        OSError: the program or one of its parts cannot be read.
    """
    text = program.read_bytes().decode()
    if not any(_is_part(name, program) for name in imported(text)):
        return text
    order: dict[Path, str] = {}
    _collect(program, program, order, set())
    bodies: list[str] = []
    imports: dict[str, None] = {}
    for path, source in order.items():
        header = _HEADER.match(source)
        end = header.end() if header else 0
        for line in IMPORT.finditer(source, 0, end):
            if not _is_part(line["module"], program):
                imports.setdefault(" ".join(line[0].split()))
        name = path.relative_to(program.parent).as_posix()
        bodies.append(f"-- {name} from line {source.count(chr(10), 0, end) + 1}\n{source[end:]}")
    return "\n".join(["module", *imports, "", *bodies])


def imported(text: str) -> list[str]:
    """The modules that a source imports, in order, each once."""
    return list(dict.fromkeys(line["module"] for line in IMPORT.finditer(text)))


def _is_part(module: str, program: Path) -> bool:
    return module.startswith(f"{program.stem}.")


def _collect(path: Path, program: Path, order: dict[Path, str], entered: set[Path]) -> None:
    """Put a file's parts, then the file itself, into `order`."""
    if path in entered:
        return
    entered.add(path)
    source = path.read_bytes().decode()
    for module in imported(source):
        if _is_part(module, program):
            part = program.parent.joinpath(*module.split(".")).with_suffix(".lean")
            _collect(part, program, order, entered)
    order[path] = source
