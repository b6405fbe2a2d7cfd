import dataclasses

import pytest

from ragsolver_verifier.toolchain.progress import InstallProgress, silent


def test_a_report_counts_nothing_unless_told() -> None:
    report = InstallProgress("probe", "starting")
    assert (report.done, report.total, report.unit) == (0, 0, "bytes")
    silent(report)


def test_a_report_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        InstallProgress("probe", "starting").done = 3  # type: ignore[misc]
