"""The symbol file: names that were exports, found by one hash probe without parsing.

Layout, little endian: `mask` (uint32); then `mask + 1` slots of four int32: CRC-32 of the
name, offset of the name in the blob, its length in bytes, value (0: free slot); then the
blob of names. A look-up starts at slot `crc & mask`, goes on to the next slot until a free
one, and compares the whole name: a wrong hit is not possible.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping
from zlib import crc32


def encode_symbols(symbols: Mapping[str, int]) -> bytes:
    """Encode a table of symbols.

    Args:
        symbols: name to value, an int32 other than 0.

    Raises:
        ValueError: a value is 0, which marks a free slot.
    """
    size = 1
    while size < 2 * len(symbols) + 1:
        size *= 2
    mask = size - 1
    slots = array("i", bytes(16 * size))
    blob = bytearray()
    for name, value in symbols.items():
        if value == 0:
            raise ValueError(f"symbol {name!r} has value 0, which marks a free slot")
        raw = name.encode()
        crc = crc32(raw)
        at = crc & mask
        while slots[4 * at + 3]:
            at = at + 1 & mask
        signed = crc - (1 << 32) if crc >> 31 else crc
        slots[4 * at : 4 * at + 4] = array("i", (signed, len(blob), len(raw), value))
        blob += raw
    return struct.pack("<I", mask) + slots.tobytes() + bytes(blob)


def find_symbol(encoded: bytes, name: str) -> int | None:
    """Look one name up, as the JavaScript does; for tests and diagnosis."""
    (mask,) = struct.unpack_from("<I", encoded)
    raw = name.encode()
    blob = 4 + 16 * (mask + 1)
    at = crc32(raw) & mask
    while True:
        _, offset, length, value = struct.unpack_from("<4i", encoded, 4 + 16 * at)
        if value == 0:
            return None
        if encoded[blob + offset : blob + offset + length] == raw:
            return int(value)
        at = at + 1 & mask
