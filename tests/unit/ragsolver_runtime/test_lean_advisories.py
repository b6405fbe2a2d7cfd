import re

import pytest
from pydantic import ValidationError

from ragsolver_runtime.lean_advisories import (
    LeanAdvisory,
    LeanVersion,
    advisories_of,
    known_advisories,
)

IN_ORDER = [
    "4.0.0-m5",
    "4.0.0",
    "4.9.0",
    "4.28.0-pre",
    "4.28.0-rc1",
    "4.28.0-rc2",
    "4.28.0-rc10",
    "4.28.0",
    "4.28.1",
    "4.29.0-nightly-2026-02-01",
    "4.29.0-rc1",
]


def test_versions_are_ordered_as_lean_counts_them():
    backwards = IN_ORDER[::-1]
    assert sorted(backwards, key=LeanVersion) == IN_ORDER


@pytest.mark.parametrize("text", ["v4.28.0-rc1", " 4.28.0-rc1\n"])
def test_a_tag_is_a_version(text):
    assert LeanVersion(text) == LeanVersion("4.28.0-rc1")
    assert hash(LeanVersion(text)) == hash(LeanVersion("4.28.0-rc1"))


@pytest.mark.parametrize("text", ["", "4.28", "stable", "4.28.0.1"])
def test_what_is_no_version_is_said(text):
    with pytest.raises(ValueError, match="not a Lean version"):
        LeanVersion(text)


def advisory(*affected):
    return LeanAdvisory(id="a", affected=affected, summary="s", source="t", met_by="m")


@pytest.mark.parametrize(
    ("version", "concerned"),
    [("4.1.0", True), ("4.32.0", True), ("4.32.1", False), ("4.32.2", False),
     ("4.33.0-pre", True), ("4.33.0-rc1", True), ("4.33.0-rc2", False), ("4.33.0", False)],
)  # fmt: skip
def test_a_fix_on_two_branches_makes_two_ranges(version, concerned):
    fixed = advisory({"before": "4.32.1"}, {"since": "4.33.0-pre", "before": "4.33.0-rc2"})
    assert fixed.concerns(LeanVersion(version)) is concerned


def test_an_advisory_without_versions_is_refused():
    with pytest.raises(ValidationError):
        advisory()


def test_every_known_advisory_has_a_source_that_can_be_looked_up():
    found = known_advisories()
    assert len({a.id for a in found}) == len(found) >= 10
    for item in found:
        number = item.id.split("-")[1]
        assert re.search(rf"leanprover/lean4#{number}\b", item.source), item.id
        assert item.summary
        assert item.met_by
        for versions in item.affected:
            if versions.since:
                assert LeanVersion(versions.since) < LeanVersion(versions.before), item.id


def test_the_pinned_versions_are_concerned_and_a_later_one_is_not():
    for pinned in ("4.28.0-pre", "4.28.0-rc1"):
        assert len(advisories_of(pinned)) >= 8
    assert advisories_of("4.34.1") == ()


def test_a_version_that_cannot_be_read_is_concerned_by_everything():
    assert advisories_of("unknown") == known_advisories()
