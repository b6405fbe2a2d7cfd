import json

import pytest

from ragsolver_runtime.formats.json_records import BOM, read_document, read_lines

TWO = [{"name": "a"}, {"name": "b", "text": "x\n\n\\{"}]


@pytest.mark.parametrize("indent", [None, 2, 4])
def test_every_object_of_an_array_has_its_line(indent):
    text = json.dumps(TWO, indent=indent)
    found = list(read_document(BOM + text.encode()))
    assert [record.fields for record in found] == TWO
    lines = text.split("\n")
    assert [json.loads(record.raw) for record in found] == TWO
    for record in found:
        assert lines[record.line - 1].strip().startswith(("{", "[{"))


def test_a_broken_object_is_found_alone_where_lines_allow_it():
    text = '[\n  {"name": "a"},\n  {"name": "b\n  },\n  {"name": "c"},\n  4\n]\n'
    found = list(read_document(text.encode()))
    assert [(r.line, r.fields) for r in found] == [
        (2, {"name": "a"}),
        (3, None),
        (5, {"name": "c"}),
        (6, None),
    ]
    assert found[1].raw == b'{"name": "b\n  }'


def test_what_follows_a_broken_object_on_one_line_is_broken_with_it():
    found = list(read_document(b'[{"name": "a"}, {"name": }, {"name": "c"}]'))
    assert [r.fields for r in found] == [{"name": "a"}, None]
    assert found[1].raw.startswith(b'{"name": }, {"name": "c"}')


def test_a_cut_array_keeps_what_came_before():
    found = list(read_document(b'[{"name": "a"},\n{"name": "b", "te'))
    assert [r.fields for r in found] == [{"name": "a"}, None]


def test_a_document_may_be_one_object_or_lines():
    assert [r.fields for r in read_document(b'\n{\n "name": "a"\n}\n')] == [{"name": "a"}]
    assert [(r.line, r.fields) for r in read_document(b'{"name": "a"}\n\n{"name": "b"}\n')] == [
        (1, {"name": "a"}),
        (3, {"name": "b"}),
    ]


@pytest.mark.parametrize("raw", [b"[{\xff}]", b"\xff"])
def test_what_is_not_utf8_is_one_broken_record(raw):
    (found,) = read_document(raw)
    assert (found.line, found.raw, found.fields) == (1, raw, None)


@pytest.mark.parametrize("raw", [b"", b" \n", b"[]", b"[\n]\n"])
def test_nothing_is_no_record(raw):
    assert list(read_document(raw)) == []


def test_deep_nesting_is_a_broken_record():
    (found,) = read_document(b"[" * 100_000)
    assert found.fields is None


def test_lines_are_counted_with_the_blank_ones():
    found = list(read_lines([BOM + b'{"name": "a"}\n', b"\n", b"[1]\r\n"]))
    assert [(r.line, r.fields, r.raw) for r in found] == [
        (1, {"name": "a"}, b'{"name": "a"}'),
        (3, None, b"[1]"),
    ]
