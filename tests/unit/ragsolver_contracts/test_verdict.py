from typing import Any

import pytest
from pydantic import ValidationError

from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.verdict import Verdict

TOOLCHAIN = LeanToolchain(kind="embedded", lean_version="4.28.0-pre")


def verdict(**changes: Any) -> Verdict:
    values: dict[str, Any] = {"statement_digest": "d", "toolchain": TOOLCHAIN, **changes}
    return Verdict(**values)


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "accepted"},
        {"status": "accepted", "axioms": ("propext", "Quot.sound")},
        {"status": "rejected", "reason": "contains_sorry"},
        {"status": "inconclusive", "reason": "timeout"},
    ],
)
def test_consistent_verdicts(changes: dict[str, Any]) -> None:
    assert verdict(**changes).status == changes["status"]


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "accepted", "reason": "timeout"},
        {"status": "accepted", "axioms": ("sorryAx",)},
        {"status": "accepted", "axioms": ("A.propext",)},
        {"status": "rejected"},
        {"status": "rejected", "reason": "timeout"},
        {"status": "inconclusive", "reason": "contains_sorry"},
        {"status": "inconclusive"},
    ],
)
def test_contradictions_cannot_be_said(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        verdict(**changes)
