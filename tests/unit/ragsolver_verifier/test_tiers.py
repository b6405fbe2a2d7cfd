import pytest

from ragsolver_contracts.lean import LeanToolchain
from ragsolver_verifier.tiers import TIERS, lacking, require_tier
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from suites.native_stub import built, executable

EMBEDDED = LeanToolchain(kind="embedded", lean_version="4.28.0-pre")
NATIVE = LeanToolchain(kind="native", lean_version="4.28.0-rc1")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    return tmp_path


def test_tiers_are_ordered_from_weak_to_strong():
    assert TIERS == ("checked", "audited", "replayed")


@pytest.mark.parametrize("tier", ["checked", "audited"])
def test_every_toolchain_gives_these(tier):
    require_tier(tier, EMBEDDED)
    assert lacking(tier, NATIVE) == ""


def test_replaying_is_refused_under_the_embedded_toolchain_even_where_the_native_one_is(cache):
    built(cache)
    executable(cache / "sysroot" / "bin" / "leanchecker", "exit 1")
    with pytest.raises(ToolchainMissing, match='toolchain = "native"'):
        require_tier("replayed", EMBEDDED)
    require_tier("replayed", NATIVE)
    assert lacking("replayed") == ""


def test_replaying_without_the_native_toolchain_names_what_is_missing():
    with pytest.raises(ToolchainMissing, match="ragsolver lean install --native"):
        require_tier("replayed")


def test_replaying_without_leanchecker_names_it(cache):
    built(cache)
    with pytest.raises(ToolchainMissing, match="leanchecker, which is not in"):
        require_tier("replayed", NATIVE)
