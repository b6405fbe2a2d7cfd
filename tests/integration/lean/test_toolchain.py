import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.toolchain.compile import compile_program
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.locate import (
    EmbeddedToolchain,
    compiled_folder,
    locate,
    run_program,
)

pytestmark = [pytest.mark.connected, pytest.mark.timeout(600)]

LIMIT_S = 240.0
PROBE = Path(__file__).with_name("Probe.lean")


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    found = locate()
    if found is None:
        pytest.skip("the embedded Lean toolchain is missing: run `ragsolver lean install`")
    return found


def said(result: subprocess.CompletedProcess[bytes]) -> dict[str, str]:
    records = result.stdout.decode().split("\x1e")[:-1]
    assert records, result.stderr.decode(errors="replace")
    return dict(record.split(" | ", 1) for record in records)


@pytest.fixture(scope="module", params=["source", "compiled"])
def probe(
    request: pytest.FixtureRequest,
    toolchain: EmbeddedToolchain,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, dict[str, str], bytes]]:
    """The probe's folder on the host, what it said, and what went to standard error."""
    host = tmp_path_factory.mktemp("host")
    (host / "secret.txt").write_text("secret\n")
    program = host / "Probe.lean"
    # Its own source each time: a compiled form from an earlier run must not be found.
    program.write_text(f"{PROBE.read_text('utf-8')}\n-- {host}\n", "utf-8")
    if request.param == "compiled":
        compile_program(toolchain, program, resource_dir("lean_project") / "Loader.lean")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET", "x")
        result = run_program(
            toolchain, program, [str(host)], timeout_s=LIMIT_S, stdin="∃ request\n".encode()
        )
    yield host, said(result), result.stderr
    shutil.rmtree(compiled_folder(toolchain, program), ignore_errors=True)


def test_requests_and_answers_are_utf8(probe: tuple[Path, dict[str, str], bytes]) -> None:
    _, lines, _ = probe
    assert lines["request"].strip() == "∃ request"
    assert lines["end"] == "∀ ok"


ON = pytest.mark.parametrize("on", ["", "thread "], ids=["main", "thread"])
"""What the program does by itself, or lets a thread of its own do."""


def test_a_thread_reads_the_library(probe: tuple[Path, dict[str, str], bytes]) -> None:
    assert probe[1]["thread read library"] == "5"
    assert probe[1]["thread out of library"].startswith("refused: no such file")


@ON
@pytest.mark.parametrize(
    "what",
    ["write library", "new library file", "remove library", "rename library", "library folder"],
)
def test_the_library_cannot_be_changed(
    probe: tuple[Path, dict[str, str], bytes], on: str, what: str
) -> None:
    assert probe[1][on + what].startswith(
        ("refused: read-only file system", "refused: permission denied")
    )


@ON
def test_the_host_is_not_there(probe: tuple[Path, dict[str, str], bytes], on: str) -> None:
    host, lines, _ = probe
    assert lines[on + "read host"].startswith("refused: no such file")
    assert lines[on + "write host"].startswith("refused: no such file")
    assert sorted(path.name for path in host.iterdir()) == ["Probe.lean", "secret.txt"]


@pytest.mark.parametrize("name", ["HOME", "PATH", "SECRET", "thread HOME", "thread SECRET"])
def test_no_variable_of_the_host_is_seen(
    probe: tuple[Path, dict[str, str], bytes], name: str
) -> None:
    on, _, name = name.rpartition(" ")
    assert probe[1][f"{on} variable {name}".strip()] == "unset"


def test_only_the_first_to_open_it_has_the_channel(
    probe: tuple[Path, dict[str, str], bytes],
) -> None:
    _, lines, errors = probe
    for what in ("second requests", "second answers", "descriptor"):
        assert lines[what].startswith("refused: no such file"), what
        assert lines["thread " + what].startswith("refused: no such file"), what
    assert lines["standard input"] == ""
    assert b"not an answer" in errors


def test_a_program_that_does_not_end_is_killed(
    toolchain: EmbeddedToolchain, tmp_path: Path
) -> None:
    program = tmp_path / "Loop.lean"
    program.write_text(
        "module\npublic import Init.System.IO\npartial def spin (n : Nat) : IO UInt32 := "
        "spin (n + 1)\npublic def main : IO UInt32 := spin 0\n"
    )
    with pytest.raises(subprocess.TimeoutExpired):
        run_program(toolchain, program, timeout_s=15)


def test_a_thread_that_traps_ends_the_process(
    toolchain: EmbeddedToolchain, tmp_path: Path
) -> None:
    program = tmp_path / "Trap.lean"
    program.write_text(
        "module\npublic import Init.System.IO\n"
        "partial def deep (n : Nat) : Nat := deep (n + 1) + 1\n"
        "@[noinline] def work (n : Nat) : IO Unit := IO.println (toString (deep n))\n"
        "public def main : IO UInt32 := do\n"
        "  let start ← IO.monoMsNow\n"
        "  let task ← IO.asTask (work start) .dedicated\n"
        "  let _ ← IO.wait task\n"
        "  return 0\n"
    )
    result = run_program(toolchain, program, timeout_s=LIMIT_S)  # it would wait for ever
    assert result.returncode == -signal.SIGKILL
    assert b"a thread of Lean ended: Maximum call stack" in result.stderr


def test_a_program_that_does_not_compile_says_why(
    toolchain: EmbeddedToolchain, tmp_path: Path
) -> None:
    program = tmp_path / "Bad.lean"
    program.write_text("module\npublic import Init.System.IO\npublic def main : IO UInt32 := x\n")
    with pytest.raises(ToolchainError, match="Unknown identifier"):
        compile_program(toolchain, program, resource_dir("lean_project") / "Loader.lean")
