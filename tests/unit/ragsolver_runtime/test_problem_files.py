import json
from pathlib import Path

import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.problem_files import (
    MAX_MESSAGE,
    Selection,
    read_inputs,
    read_jsonl,
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


def test_a_json_array_is_read_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps([GOOD, {"name": "two"}, 3], indent=1))
    found = list(read_inputs(path))
    assert [(i.line, i.name, i.fields is None) for i in found] == [
        (2, "one", False),
        (7, "two", False),
        (10, None, True),
    ]
    assert found[2].message("r1") == b"3"


def test_a_dataset_is_chosen_by_the_dataset_s_own_ids_as_well(tmp_path: Path) -> None:
    path = tmp_path / "FATE-M.json"
    record = {"id": 4, "formal_statement": "theorem t : p := by", "source": "FATE-M"}
    path.write_text(json.dumps([record, record | {"id": 5}]))
    for wanted in ("5", "fate-m.5"):
        chosen = Selection(only=frozenset({wanted})).apply(read_inputs(path))
        assert [i.name for i in chosen] == ["fate-m.5"]


def test_lines_on_standard_input_may_have_a_layout(tmp_path: Path) -> None:
    line = json.dumps({"name": "t", "formal_statement": "theorem t : p := by rfl"}).encode()
    (found,) = read_jsonl([line], "stdin", "minif2f")
    assert (found.name, found.raw) == ("minif2f.t", line)
    assert "rfl" not in found.message(None).decode()


def test_the_answer_beside_an_open_definition_of_a_lean_file_stays_here(tmp_path: Path) -> None:
    path = tmp_path / "putnam_1900_a1.lean"
    path.write_text(
        "import Mathlib\nopen Nat -- for `!`\n\nabbrev putnam_1900_a1_solution : Nat := sorry\n"
        "-- 31\n/--\nFind it.\n-/\ntheorem putnam_1900_a1 : f putnam_1900_a1_solution := sorry\n"
    )
    for layout in ("auto", "putnambench"):
        (found,) = read_inputs(path, layout)
        assert found.name == "putnam_1900_a1"
        assert b"31" not in found.message("r1")
        assert b"Find it." in found.message("r1")
        assert b"for `!`" not in found.message("r1")
    assert json.loads(found.message("r1"))["source"] == {
        "file": "putnam_1900_a1.lean",
        "line": 9,
        "dataset": "PutnamBench",
        "licence": "Apache-2.0",
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {
        "b/1.lean": "theorem t : p := by sorry\n/-- U. -/\ntheorem u : q := by sorry\n",
        "b/u.lean": "theorem u : r := by sorry\n",
        "a.md": "## one\n\nWords.\n",
        "c d.txt": "More words.\n",
        "README.md": "About these.",
        "lakefile.lean": "theorem x : p := sorry",
        ".lake/z.lean": "theorem z : p := sorry",
        "list.jsonl": json.dumps(GOOD),
    }
    for name, text in texts.items():
        path = tmp_path / "set" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "set"


def test_a_folder_is_read_in_order_with_names_of_its_files(folder: Path) -> None:
    found = list(read_inputs(folder))
    assert [(i.file, i.line, i.name) for i in found] == [
        ("a.md", 1, "a.one"),
        ("b/1.lean", 1, "b.1.t"),
        ("b/1.lean", 3, "b.1.u"),
        ("b/u.lean", 1, "b.u"),
        ("c d.txt", 1, "c-d"),
    ]
    assert json.loads(found[1].message("r1"))["name"] == "b.1.t"


def test_a_folder_of_a_dataset_is_labelled_with_it(folder: Path) -> None:
    named = folder.parent / "FATEH"
    (folder / "b").rename(named)
    found = list(read_inputs(named, "fate"))
    assert [(i.name, i.file) for i in found] == [
        ("fate-h.1.t", "1.lean"),
        ("fate-h.1.u", "1.lean"),
        ("fate-h.u", "u.lean"),
    ]
    assert found[0].fields is not None
    assert found[0].fields["source"] == {"dataset": "FATE-H", "licence": "MIT"}


@pytest.mark.parametrize("name", ["empty.txt", "empty.md"])
def test_an_empty_text_goes_on_to_be_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("\n")
    (found,) = read_inputs(tmp_path / name)
    assert found.name == "empty"


def test_a_text_that_is_not_utf8_is_one_raw_input(tmp_path: Path) -> None:
    path = tmp_path / "bad.md"
    path.write_bytes(b"## one \xff")
    (found,) = read_inputs(path)
    assert (found.fields, found.raw) == (None, b"## one \xff")


def test_tables_that_are_not_read_are_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    path.write_bytes(b"PAR1")
    with pytest.raises(ConfigError, match=r"train\.parquet is \.parquet.*JSON lines"):
        list(read_inputs(path))


def test_an_unknown_layout_is_an_error_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no format 'x'"):
        list(read_inputs(tmp_path / "none.jsonl", "x"))
