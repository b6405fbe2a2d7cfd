import os

import pytest

from ragsolver_verifier.repl import AnswerReader, ReplServer
from suites.fake_repl import fake_program


@pytest.fixture
def pipe():
    out, inp = os.pipe()
    with os.fdopen(out, "rb", buffering=0) as raw, os.fdopen(inp, "wb", buffering=0) as writer:
        yield raw, writer


def test_answers_are_told_apart_by_an_empty_line(pipe):
    raw, writer = pipe
    reader = AnswerReader(raw, lambda: None)
    assert not reader.unasked()
    writer.write("one ℕ\nline\n\ntwo\n\nthr".encode())
    assert reader.readline() == "one ℕ\nline\n\n"
    assert reader.unasked()
    assert reader.readline() == "two\n\n"
    writer.close()
    assert reader.readline() == ""
    assert reader.read() == ""


def test_an_end_may_come_in_two_pieces():
    pieces = iter([b"answer\n", b"\nrest"])

    class Raw:
        def read(self, _):
            return next(pieces)

    assert AnswerReader(Raw(), lambda: None).readline() == "answer\n\n"


def test_bytes_that_are_no_text_are_no_error(pipe):
    raw, writer = pipe
    writer.write(b"\xff\n\n")
    assert AnswerReader(raw, lambda: None).readline() == "\ufffd\n\n"


def test_no_more_is_read_than_allowed(pipe):
    excess, blocks = [], []

    class Raw:
        def read(self, size):
            blocks.append(size)
            return b"x\n" * (size // 2)

    reader = AnswerReader(Raw(), lambda: excess.append(1))
    reader.limit = 1_000_000
    assert reader.readline() == ""
    assert excess == [1]
    assert sum(blocks) <= reader.limit + 65_536


def test_a_server_can_be_killed_twice(tmp_path):
    program = fake_program(tmp_path)
    server = ReplServer(program.repl_path, program.lake_path, {}, lambda: None)
    assert server.is_alive()
    server.kill()
    server.kill()
    assert not server.is_alive()
