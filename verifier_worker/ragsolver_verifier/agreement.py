"""The agreement between retrieval index and toolchain, asked of Lean itself at start."""

import json
import random
from pathlib import Path
from typing import Any

from ragsolver_runtime.errors import PermanentError
from ragsolver_verifier.checker import Checker
from ragsolver_verifier.header import LIBRARY


class DisagreementError(PermanentError):
    """The retrieval index speaks of another Lean than the one that checks."""


async def require_agreement(checker: Checker, path: Path, names: int, seed: int = 0) -> int:
    """Ask Lean for random declarations of the index; returns how many were asked for.

    Args:
        checker: the checker.
        path: the index's agreement file; nothing is asked where there is none.
        names: how many names to ask for.
        seed: which ones.

    Raises:
        DisagreementError: Lean does not know one of them, or another toolchain made the index.
        LeanFailureError: Lean gave no answer.
    """
    recorded = _read(path)
    if recorded is None or names == 0:
        return 0
    remedy = "run `ragsolver index build`"
    digest = checker.toolchain.digest
    if recorded["toolchain_digest"] != digest:
        raise DisagreementError(
            f"the index was made from toolchain {recorded['toolchain_digest'][:12]}, "
            f"this one is {digest[:12]}: {remedy}"
        )
    known = list(recorded["names"])
    asked = random.Random(seed).sample(known, min(names, len(known)))  # noqa: S311 - a sample
    missing = await checker.missing(asked, LIBRARY)
    if missing:
        listed = ", ".join(missing[:3])
        raise DisagreementError(
            f"Lean does not know {len(missing)} of {len(asked)} names of the index, "
            f"for example {listed}: {remedy}"
        )
    return len(asked)


def _read(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    recorded = json.loads(path.read_text(encoding="utf-8"))
    return dict(recorded)
