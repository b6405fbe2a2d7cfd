from pathlib import Path

import pytest

from ragsolver_verifier.toolchain.native_commands import (
    hint,
    project_steps,
    telling,
    toolchain_step,
)

LAKE = Path("bin", "lake")
ELAN_SAID = """\
info: downloading component 'lean'
error: could not download file from 'https://github.com/x' to '/y'
info: caused by: error during download
info: caused by: [6] Couldn't resolve host name (Could not resolve host: github.com)
info: backtrace:
Error(Download(Msg("error during download")), State { next_error: Some(Error {
   0: <unknown>
   1: <unknown>
"""
"""Standard error of elan 1.4.2 without a network, shortened."""


def steps(*, resolved=True):
    return {step.step: step for step in project_steps(LAKE, resolved=resolved)}


def test_the_commands_are_these():
    assert toolchain_step(Path("bin/elan"), "leanprover/lean4:v4.28.0-rc1").argv == (
        "bin/elan", "toolchain", "install", "leanprover/lean4:v4.28.0-rc1",
    )  # fmt: skip
    found = project_steps(LAKE, resolved=False)
    assert [step.argv[1:] for step in found] == [
        ("update", "--keep-toolchain"),
        ("exe", "cache", "get"),
        ("build", "checker", "exporter"),
    ]


def test_packages_stay_as_the_manifest_says():
    assert "packages" not in steps(resolved=True)


@pytest.mark.parametrize(
    ("step", "line", "done", "total"),
    [
        ("cache", "Downloaded: 512 file(s) [attempted 600/7012 = 8%, 5021 KB/s]", 600, 7012),
        ("cache", "Downloaded: 7012 file(s) [attempted 7012/7012 = 100%]", 7012, 7012),
        ("build", "✔ [12/19] Built Checker.Lists (1.2s)", 12, 19),
    ],
)
def test_progress_is_read_from_what_is_printed(step, line, done, total):
    progress = steps()[step].progress(line)
    assert progress is not None
    assert (progress.done, progress.total) == (done, total)


def test_what_lake_and_elan_tell_is_passed_on():
    step = steps(resolved=False)["packages"]
    said = "info: mathlib: cloning https://github.com/leanprover-community/mathlib4.git"
    progress = step.progress(said)
    assert progress is not None
    assert progress.message.startswith("mathlib: cloning")
    assert progress.total == 0


def test_a_line_that_is_not_understood_is_passed_over():
    assert steps()["cache"].progress("Decompressing 7012 file(s)") is None
    assert steps()["build"].progress("warning: something") is None
    assert steps()["cache"].progress("info: caused by: error during download") is None


@pytest.mark.parametrize(
    ("output", "word"),
    [
        (ELAN_SAID, "no way to the network"),
        ("curl: (7) Failed to connect to 127.0.0.1 port 9", "no way to the network"),
        ("fatal: unable to access: Could not resolve host: github.com", "no way to the network"),
        ("error: write failed: No space left on device (os error 28)", "disk is full"),
        ("error: could not download nonexistent lean version `v9`", "does not exist"),
        ("error: revision not found 'v4.99'", "no such revision"),
        ("Warning: some files were not found in the cache.", "has not everything"),
        ("uncaught exception: leantar failed with error code 1", "has not everything"),
        ("error: could not execute external process 'git'", "git is missing"),
        ("Permission denied (os error 13)", "may not be written"),
        ("error: something else", ""),
    ],
)
def test_errors_are_explained(output, word):
    assert (word in hint(output)) if word else hint(output) == ""


def test_the_telling_lines_are_the_errors():
    said = telling(ELAN_SAID)
    assert said.startswith("error: could not download file")
    assert "Could not resolve host" in said
    assert "<unknown>" not in said
    assert telling("one\rtwo\nthree") == "one\ntwo\nthree"
