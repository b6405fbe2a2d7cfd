import json

import pytest

from ragsolver_verifier.agreement import DisagreementError, require_agreement
from suites.scripted_lean import TOOLCHAIN

NAMES = [f"Nat.name_{number}" for number in range(50)]


class Known:
    """Knows everything but `unknown`."""

    toolchain = TOOLCHAIN

    def __init__(self, unknown=()):
        self.unknown = unknown

    async def missing(self, names, header=""):
        assert "Std" in header
        return tuple(name for name in names if name in self.unknown)


def recorded(tmp_path, **changes):
    path = tmp_path / "agreement.json"
    path.write_text(json.dumps({"toolchain_digest": TOOLCHAIN.digest, "names": NAMES, **changes}))
    return path


async def test_twenty_names_are_asked_for(tmp_path):
    assert await require_agreement(Known(), recorded(tmp_path), 20) == 20


async def test_without_an_index_there_is_nothing_to_agree_on(tmp_path):
    assert await require_agreement(Known(), tmp_path / "none.json", 20) == 0


async def test_an_unknown_name_is_named(tmp_path):
    with pytest.raises(DisagreementError, match="name_7"):
        await require_agreement(Known(unknown=("Nat.name_7",)), recorded(tmp_path), 50)


async def test_another_toolchain_is_found_out_before_asking(tmp_path):
    path = recorded(tmp_path, toolchain_digest="e" * 64)
    with pytest.raises(DisagreementError, match="eeee"):
        await require_agreement(Known(), path, 20)
