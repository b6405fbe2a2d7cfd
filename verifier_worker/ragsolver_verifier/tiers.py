"""The tiers of a verdict: what each needs on this machine."""

from __future__ import annotations

from typing import get_args

from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.verdict import Tier
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.native import NATIVE_REMEDY, locate_native, why_not_native

TIERS: tuple[Tier, ...] = get_args(Tier)
REPLAYER = "leanchecker"
"""Part of Lean since 4.28.0-rc1; replays compiled declarations into a fresh kernel."""


def lacking(tier: Tier, toolchain: LeanToolchain | None = None) -> str:
    """What a tier needs and does not have here, with what to do; empty when nothing.

    Args:
        tier: the tier asked for.
        toolchain: the toolchain that checks; None where only the machine is asked about.
    """
    if tier != "replayed":
        return ""
    if toolchain is not None and toolchain.kind != "native":
        return (
            "the tier `replayed` needs the native toolchain: the embedded one has no "
            f'{REPLAYER}. Set `toolchain = "native"` in the table [verifier] of workers.toml, '
            f"and {NATIVE_REMEDY}"
        )
    native = locate_native()
    if native is None:
        return (
            f"the tier `replayed` needs the native toolchain ({why_not_native()}): {NATIVE_REMEDY}"
        )
    if native.program(REPLAYER) is None:
        return (
            f"the tier `replayed` needs {REPLAYER}, which is not in {native.sysroot / 'bin'}: it "
            "comes with Lean 4.28.0-rc1 and later"
        )
    return ""


def require_tier(tier: Tier, toolchain: LeanToolchain | None = None) -> None:
    """Refuse a tier that cannot be given; never a lower one in its place.

    Raises:
        ToolchainMissing: what is missing, and what to do.
    """
    missing = lacking(tier, toolchain)
    if missing:
        raise ToolchainMissing(missing)
