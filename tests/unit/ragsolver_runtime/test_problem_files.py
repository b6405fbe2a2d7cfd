import json
from pathlib import Path

import pytest

from ragsolver_runtime.problem_files import (
    MAX_MESSAGE,
    Selection,
    read_inputs,
    read_names,
    selection_digest,
)

GOOD = {"name": "one", "split": "valid", "formal_statement": "theorem one : True := by sorry"}


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "mixed.jsonl"
    lines = [
        b"\xef\xbb\xbf" + json.dumps(GOOD).encode(),
        b"",
        b'{"name": "broken", ',
        b'{"name": "caf\xe9"}',
        b"[1, 2]",
        json.dumps({"name": "two", "source": {"line": 99, "licence": "MIT"}}).encode() + b"\r",
        json.dumps({"informal_statement": "nameless"}).encode(),
    ]
    path.write_bytes(b"\n".join(lines))
    return path


def test_every_line_is_an_input_and_nothing_is_judged(mixed: Path) -> None:
    found = list(read_inputs(mixed))
    assert [(i.line, i.name, i.fields is None) for i in found] == [
        (1, "one", False),
        (3, None, True),
        (4, None, True),
        (5, None, True),
        (6, "two", False),
        (7, None, False),
    ]


def test_message_carries_run_and_source(mixed: Path) -> None:
    found = {i.line: json.loads(i.message("r9")) for i in read_inputs(mixed) if i.fields}
    assert found[1] == {**GOOD, "run_id": "r9", "source": {"file": "mixed.jsonl", "line": 1}}
    assert found[6]["source"] == {"file": "mixed.jsonl", "line": 99, "licence": "MIT"}


def test_what_is_not_an_object_is_handed_on_as_it_is(mixed: Path) -> None:
    found = {i.line: i.message("r9") for i in read_inputs(mixed)}
    assert found[3] == b'{"name": "broken",'
    assert found[4] == b'{"name": "caf\xe9"}'


def test_an_oversized_input_is_cut_so_that_the_intake_can_refuse_it(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    path.write_text(json.dumps({"name": "big", "formal_statement": "x" * 2_000_000}))
    (found,) = read_inputs(path)
    message = found.message("r1")
    assert len(message) <= MAX_MESSAGE
    assert len(json.loads(message)["formal_statement"]) == 200_001


def test_selection_by_name_leaves_out_what_has_none(mixed: Path) -> None:
    only = Selection(only=frozenset({"two"}))
    assert [i.name for i in only.apply(read_inputs(mixed))] == ["two"]


def test_limit_counts_after_the_selection(mixed: Path) -> None:
    first = Selection(limit=2)
    assert [i.line for i in first.apply(read_inputs(mixed))] == [1, 3]
    both = Selection(only=frozenset({"one", "two"}), limit=2)
    assert [i.name for i in both.apply(read_inputs(mixed))] == ["one", "two"]


def test_digest_changes_with_any_input(mixed: Path) -> None:
    before = selection_digest(read_inputs(mixed))
    assert before == selection_digest(read_inputs(mixed))
    mixed.write_bytes(mixed.read_bytes().replace(b"[1, 2]", b"[1, 3]"))
    assert before != selection_digest(read_inputs(mixed))


def test_lean_file_gives_one_input_per_open_theorem(tmp_path: Path) -> None:
    path = tmp_path / "Open.lean"
    path.write_text("open Nat\n/-- Words. -/\ntheorem t : True := by\n  sorry\n")
    (found,) = read_inputs(path)
    assert found.fields == {
        "name": "t",
        "formal_statement": "theorem t : True",
        "header": "open Nat",
        "informal_statement": "Words.",
    }
    assert json.loads(found.message("r1"))["source"] == {"file": "Open.lean", "line": 3}


def test_lean_file_that_is_not_utf8_is_one_raw_input(tmp_path: Path) -> None:
    path = tmp_path / "Bad.lean"
    path.write_bytes(b"theorem t : True := by sorry -- \xff")
    (found,) = read_inputs(path)
    assert found.fields is None
    assert found.message("r1") == path.read_bytes()


def test_names_list_skips_blank_lines_and_remarks(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("# picked by hand\none\n\n  two  \n")
    assert read_names(path) == {"one", "two"}
