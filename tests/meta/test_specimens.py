"""The zoo covers every kind of false proof, and says for each file why it is none."""

from collections import Counter

from meta.house import ROOT
from suites.lean_specimens import KINDS, specimens, table

STATUSES = ("rejected", "inconclusive", "failure")


def test_every_kind_has_specimens_and_no_other_kind_is_there():
    assert set(Counter(item.kind for item in specimens("zoo"))) == set(KINDS)


def test_there_are_many():
    assert len(specimens("zoo")) >= 150
    assert len(specimens("garden")) >= 65


def test_nothing_in_the_zoo_is_expected_to_pass_and_all_in_the_garden_is():
    for item in specimens("zoo"):
        said = [part.split()[0] for part in item.expect.split(" or ")]
        assert set(said) <= set(STATUSES), item.name
        assert item.says, item.name
    for item in specimens("garden"):
        assert (item.expect, item.kind) == ("accepted", ""), item.name


def test_only_attacks_on_the_process_may_end_without_a_verdict():
    free = {"deep_recursion", "memory_bomb", "memory_by_list"}
    for item in specimens("zoo"):
        if "failure" in item.expect:
            assert item.kind.startswith("process: ") or item.name in free, item.name


def test_the_table_of_the_zoo_is_up_to_date():
    """`python tests/suites/lean_specimens.py` prints it."""
    assert table() in (ROOT / "docs" / "zoo.md").read_text(encoding="utf-8")
