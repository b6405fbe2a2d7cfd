import subprocess

import pytest

from ragsolver_verifier.toolchain.streaming import run_streaming


def run(script, tmp_path, heard, timeout_s=20.0):
    argv = ["/bin/sh", "-c", script]
    return run_streaming(argv, timeout_s=timeout_s, cwd=tmp_path, env={}, heard=heard)


def test_lines_of_both_streams_are_heard_while_it_runs(tmp_path):
    heard = []
    ended = run(r"printf 'a\rb\r'; echo c >&2; printf d; exit 3", tmp_path, heard.append)
    assert heard == ["a", "b", "c", "d"]
    assert (ended.code, ended.output) == (3, "a\nb\nc\nd")


def test_it_and_what_it_started_end_on_a_timeout(tmp_path):
    with pytest.raises(subprocess.TimeoutExpired) as caught:
        run("echo before; sleep 100 & wait", tmp_path, lambda _: None, timeout_s=1.0)
    assert caught.value.output == "before"


def test_a_program_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        run_streaming(["./none"], timeout_s=1, cwd=tmp_path, env={}, heard=lambda _: None)
