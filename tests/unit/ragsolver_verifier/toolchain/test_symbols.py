import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragsolver_verifier.toolchain.symbols import encode_symbols, find_symbol

VALUES = st.integers(min_value=-(2**31), max_value=2**31 - 1).filter(bool)


@given(st.dictionaries(st.text(min_size=1, max_size=12), VALUES, max_size=40), st.text())
def test_every_symbol_is_found_and_no_other(symbols: dict[str, int], other: str) -> None:
    encoded = encode_symbols(symbols)
    assert {name: find_symbol(encoded, name) for name in symbols} == symbols
    if other not in symbols:
        assert find_symbol(encoded, other) is None


def test_the_value_of_a_free_slot_is_refused() -> None:
    with pytest.raises(ValueError, match="free slot"):
        encode_symbols({"x": 0})
