import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragsolver_verifier.toolchain.errors import PatchMismatch, ToolchainMissing
from ragsolver_verifier.toolchain.node import node_path
from ragsolver_verifier.toolchain.patch_wasm import (
    encode_signed,
    encode_unsigned,
    patch_wasm,
)

HEADER = b"\0asm\x01\0\0\0"


def name(text: str) -> bytes:
    return encode_unsigned(len(text)) + text.encode()


def section(kind: int, *items: bytes) -> bytes:
    body = encode_unsigned(len(items)) + b"".join(items)
    return bytes([kind]) + encode_unsigned(len(body)) + body


def module(**replaced: bytes) -> bytes:
    """Two functions `seven` and `eight` (also exported as `acht`), a data symbol at 1000.

    The table starts with two slots, slot 1 holding `seven`.
    """
    parts = {
        "types": section(1, b"\x60\0\x01\x7f"),
        "imports": section(2, name("env") + name("base") + b"\x03\x7f\0"),
        "functions": section(3, b"\0", b"\0"),
        "table": section(4, b"\x70\x01" + encode_unsigned(2) + encode_unsigned(2)),
        "globals": section(6, b"\x7f\0\x41" + encode_signed(1000) + b"\x0b"),
        "exports": section(
            7,
            name("table") + b"\x01\0",
            name("seven") + b"\0\0",
            name("eight") + b"\0\x01",
            name("acht") + b"\0\x01",
            name("data") + b"\x03\x01",
        ),
        "elements": section(9, b"\0\x41\x01\x0b\x01\0"),
        "code": section(10, b"\x04\0\x41\x07\x0b", b"\x04\0\x41\x08\x0b"),
    }
    return HEADER + b"".join((parts | replaced).values())


def test_functions_move_into_the_table_and_names_become_symbols() -> None:
    patched = patch_wasm(module(), keep={"seven"})
    assert patched.symbols == {"seven": 2, "eight": 3, "acht": 3, "data": -1001}
    assert b"eight" not in patched.module
    assert b"seven" in patched.module


def test_the_patched_module_runs() -> None:
    try:
        node = str(node_path())
    except ToolchainMissing as error:
        pytest.skip(str(error))
    patched = patch_wasm(module(), keep={"seven"}).module
    script = (
        f"const m=new WebAssembly.Module(Buffer.from('{patched.hex()}','hex'));"
        "const e=new WebAssembly.Instance(m,"
        "{env:{base:new WebAssembly.Global({value:'i32'},0)}}).exports;"
        "console.log(Object.keys(e).sort().join(),e.table.length,"
        "[1,2,3].map(i=>e.table.get(i)()).join(),e.seven())"
    )
    result = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "seven,table 4 7,7,8 7"


def test_a_file_of_another_format_is_refused() -> None:
    with pytest.raises(PatchMismatch, match="header"):
        patch_wasm(b"PK\x03\x04", keep=())


@pytest.mark.parametrize("lost", ["imports", "table", "globals", "exports", "elements"])
def test_a_missing_section_is_named(lost: str) -> None:
    with pytest.raises(PatchMismatch, match="no section"):
        patch_wasm(module(**{lost: b""}), keep=())


def test_two_tables_are_refused() -> None:
    table = b"\x70\0\x01"
    with pytest.raises(PatchMismatch, match="one table"):
        patch_wasm(module(table=section(4, table, table)), keep=())


def _decode(data: bytes) -> int:
    return sum((byte & 127) << (7 * at) for at, byte in enumerate(data))


@given(st.integers(min_value=0, max_value=2**40))
def test_unsigned_numbers_are_leb128(value: int) -> None:
    encoded = encode_unsigned(value)
    assert _decode(encoded) == value
    assert all(byte & 128 for byte in encoded[:-1])
    assert not encoded[-1] & 128


@given(st.integers(min_value=-(2**40), max_value=2**40))
def test_signed_numbers_are_leb128(value: int) -> None:
    encoded = encode_signed(value)
    raw = _decode(encoded)
    if encoded[-1] & 64:
        raw -= 1 << (7 * len(encoded))
    assert raw == value
