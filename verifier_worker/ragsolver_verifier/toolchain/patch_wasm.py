"""Make `lean.wasm` quick to start: a short export list and one element segment.

As published the module exports about 200,000 functions and data symbols, so that Lean's
interpreter can look compiled code up by name. Instantiating and searching that list is
most of the start-up time. The patch gives every exported function a slot of the indirect
table by one extra element segment, keeps only the exports that the JavaScript needs, and
returns the removed names as a symbol table (see `symbols.py`).

Binary format: WebAssembly core specification, section 5.5 (modules).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from ragsolver_verifier.toolchain.errors import PatchMismatch

_IMPORT, _TABLE, _GLOBAL, _EXPORT, _ELEMENT = 2, 4, 6, 7, 9
_KIND_FUNCTION, _KIND_TABLE, _KIND_MEMORY, _KIND_GLOBAL, _KIND_TAG = range(5)
_FUNCREF: Final = 0x70
_MAGIC: Final = b"\0asm\x01\0\0\0"


@dataclass(frozen=True)
class PatchedWasm:
    """The rewritten module and the symbols that its export list no longer has.

    Attributes:
        module: the WebAssembly module.
        symbols: name to value: a table index (> 0) for a function, minus (address + 1)
            for data.
    """

    module: bytes
    symbols: dict[str, int]


@dataclass(frozen=True)
class _Export:
    name: bytes
    kind: int
    index: int


class _Reader:
    """A cursor over one WebAssembly byte string."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def unsigned(self) -> int:
        """Read an unsigned LEB128 integer."""
        data, at, value, shift = self.data, self.at, 0, 0
        while True:
            piece = data[at]
            at += 1
            value |= (piece & 127) << shift
            if piece < 128:
                self.at = at
                return value
            shift += 7

    def signed(self) -> int:
        """Read a signed LEB128 integer."""
        value, shift = 0, 0
        while True:
            piece = self.byte()
            value |= (piece & 127) << shift
            shift += 7
            if piece < 128:
                return value - (1 << shift) if piece & 64 else value

    def name(self) -> bytes:
        length = self.unsigned()
        self.at += length
        return self.data[self.at - length : self.at]

    def limits(self) -> tuple[int, int | None]:
        flags = self.byte()
        low = self.unsigned()
        return low, self.unsigned() if flags & 1 else None


def encode_unsigned(value: int) -> bytes:
    """Encode a natural number as unsigned LEB128."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def encode_signed(value: int) -> bytes:
    """Encode an integer as signed LEB128."""
    out = bytearray()
    while not -64 <= value < 64:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value & 127)
    return bytes(out)


def _sections(module: bytes) -> list[tuple[int, bytes]]:
    if not module.startswith(_MAGIC):
        raise PatchMismatch("lean.wasm does not start with the WebAssembly version 1 header")
    reader, found = _Reader(module, len(_MAGIC)), []
    while reader.at < len(module):
        kind = reader.byte()
        size = reader.unsigned()
        found.append((kind, module[reader.at : reader.at + size]))
        reader.at += size
    return found


def _imported_globals(section: bytes) -> int:
    """Count the imported globals: they come first in the index space of globals."""
    reader, globals_ = _Reader(section), 0
    for _ in range(reader.unsigned()):
        reader.name()
        reader.name()
        kind = reader.byte()
        if kind == _KIND_FUNCTION:
            reader.unsigned()
        elif kind == _KIND_TABLE:
            reader.byte()
            reader.limits()
        elif kind == _KIND_MEMORY:
            reader.limits()
        elif kind == _KIND_GLOBAL:
            reader.at += 2
            globals_ += 1
        elif kind == _KIND_TAG:
            reader.byte()
            reader.unsigned()
        else:
            raise PatchMismatch(f"lean.wasm imports something of unknown kind {kind}")
    return globals_


def _global_values(section: bytes) -> list[int | None]:
    """Read the globals' initial values; None where it is not an integer constant."""
    reader, values = _Reader(section), list[int | None]()
    for _ in range(reader.unsigned()):
        reader.at += 2
        opcode = reader.byte()
        value: int | None = None
        if opcode in (0x41, 0x42):
            value = reader.signed()
        elif opcode == 0x23:
            reader.unsigned()
        elif opcode in (0x43, 0x44):
            reader.at += 4 if opcode == 0x43 else 8
        else:
            raise PatchMismatch(f"lean.wasm has a global initialised by opcode {opcode:#x}")
        if reader.byte() != 0x0B:
            raise PatchMismatch("lean.wasm has a global with a compound initialiser")
        values.append(value)
    return values


def _exports(section: bytes) -> list[_Export]:
    reader = _Reader(section)
    return [
        _Export(reader.name(), reader.byte(), reader.unsigned()) for _ in range(reader.unsigned())
    ]


def _table(section: bytes) -> tuple[int, int | None]:
    reader = _Reader(section)
    if reader.unsigned() != 1 or reader.byte() != _FUNCREF:
        raise PatchMismatch("lean.wasm does not define exactly one table of functions")
    return reader.limits()


def _encode_table(low: int, high: int | None) -> bytes:
    limits = encode_unsigned(low) + (b"" if high is None else encode_unsigned(max(low, high)))
    return b"\x01" + bytes([_FUNCREF, high is not None]) + limits


def _encode_elements(section: bytes, base: int, functions: list[int]) -> bytes:
    """Append an active segment that puts `functions` into the table from `base` on."""
    reader = _Reader(section)
    count = reader.unsigned()
    segment = b"\0\x41" + encode_signed(base) + b"\x0b" + encode_unsigned(len(functions))
    body = b"".join(map(encode_unsigned, functions))
    return encode_unsigned(count + 1) + section[reader.at :] + segment + body


def _encode_exports(exports: list[_Export]) -> bytes:
    return encode_unsigned(len(exports)) + b"".join(
        encode_unsigned(len(e.name)) + e.name + bytes([e.kind]) + encode_unsigned(e.index)
        for e in exports
    )


def patch_wasm(module: bytes, keep: Collection[str]) -> PatchedWasm:
    """Move the exported functions into the table and keep few exports.

    Args:
        module: the published module.
        keep: names of the functions and globals that stay exported; tables and memories
            always stay.

    Raises:
        PatchMismatch: the module lacks a section, or uses a form that is not understood.
    """
    sections = _sections(module)
    by_kind = {kind: data for kind, data in sections if kind}
    missing = {_IMPORT, _TABLE, _GLOBAL, _EXPORT, _ELEMENT} - by_kind.keys()
    if missing:
        raise PatchMismatch(f"lean.wasm has no section of kind {sorted(missing)}")
    exports = _exports(by_kind[_EXPORT])
    base, high = _table(by_kind[_TABLE])
    offset = _imported_globals(by_kind[_IMPORT])
    values = _global_values(by_kind[_GLOBAL])
    slots: dict[int, int] = {}
    symbols: dict[str, int] = {}
    for export in exports:
        if export.kind == _KIND_FUNCTION:
            slot = slots.setdefault(export.index, base + len(slots))
            symbols[export.name.decode()] = slot
        elif export.kind == _KIND_GLOBAL and export.index >= offset:
            address = values[export.index - offset]
            if address is not None:
                symbols[export.name.decode()] = -(address + 1)
    kept_names = {name.encode() for name in keep}
    kept = [e for e in exports if e.name in kept_names or e.kind in (_KIND_TABLE, _KIND_MEMORY)]
    replaced = {
        _TABLE: _encode_table(base + len(slots), high),
        _ELEMENT: _encode_elements(by_kind[_ELEMENT], base, list(slots)),
        _EXPORT: _encode_exports(kept),
    }
    out = bytearray(_MAGIC)
    for kind, data in sections:
        body = replaced.get(kind, data)
        out += bytes([kind]) + encode_unsigned(len(body)) + body
    return PatchedWasm(bytes(out), symbols)
