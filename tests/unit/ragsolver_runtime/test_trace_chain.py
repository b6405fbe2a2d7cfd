import hashlib
import json

from ragsolver_runtime.trace_chain import ChainReader, ChainWriter


def sealed(*records: str) -> list[str]:
    writer = ChainWriter()
    lines = [writer.seal(record) for record in records]
    assert writer.count == len(records)
    return [*lines, writer.close("r1")]


def said(lines: list[str]) -> list[tuple[int, str]]:
    reader, found = ChainReader(), []
    for number, line in enumerate(lines, start=1):
        record = json.loads(line)
        previous, count = record.get("previous"), record.get("count")
        raw = line.encode() + b"\n"
        found += [(number, text) for text in reader.line(number, raw, previous, count=count)]
    ended = reader.end()
    return found + ([(reader.last_line, ended)] if ended else [])


LINES = sealed('{"a":1}', '{"b":2}', '{"c":3}')


def test_a_line_ends_in_the_digest_of_what_stands_before_it() -> None:
    record = json.loads(LINES[1])
    content = LINES[1][: LINES[1].index(',"digest"')]
    assert record["digest"] == hashlib.sha256(content.encode()).hexdigest()
    assert record["previous"] == json.loads(LINES[0])["digest"]
    assert json.loads(LINES[0])["previous"] == ""
    end = json.loads(LINES[-1])
    assert (end["end"], end["count"], end["run"]) == (True, 3, "r1")


def test_an_untouched_chain_is_complete() -> None:
    assert said(LINES) == []


def test_two_traces_in_one_file_are_two_chains() -> None:
    assert said([*LINES, *sealed('{"d":4}')]) == []


def test_an_edit_is_said_once_and_where_it_is() -> None:
    edited = [LINES[0], LINES[1].replace('"b":2', '"b":3'), *LINES[2:]]
    assert said(edited) == [(2, "was edited: its digest is not that of its content")]


def test_a_cut_off_end_is_said_at_the_last_line() -> None:
    ((line, text),) = said(LINES[:2])
    assert line == 2
    assert "cut off" in text


def test_a_missing_start_and_a_wrong_count_are_said() -> None:
    found = said(LINES[1:])
    assert found[0][0] == 1
    assert "what stood before it is gone" in found[0][1]
    assert found[-1] == (3, "closes 3 lines, but 2 are here")


def test_a_repeated_line_is_called_that() -> None:
    assert said([LINES[0], *LINES])[0] == (2, "repeats line 1")


def test_lines_without_digests_alone_are_an_older_trace() -> None:
    reader = ChainReader()
    assert list(reader.line(1, b"{}", None)) == []
    assert reader.end() is None
    assert not reader.chained


def test_sealed_and_unsealed_lines_do_not_mix() -> None:
    assert "was put in" in said([LINES[0], "{}", *LINES[1:]])[0][1]
    assert "were put in" in said(["{}", *LINES])[0][1]


def test_after_an_unreadable_line_the_chain_goes_on() -> None:
    reader = ChainReader()
    assert list(reader.line(1, LINES[0].encode(), "")) == []
    reader.unreadable(2)
    previous = json.loads(LINES[2])["previous"]
    assert list(reader.line(3, LINES[2].encode(), previous)) == []
