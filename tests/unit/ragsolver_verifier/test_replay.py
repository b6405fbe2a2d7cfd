"""What is asked of Lean and `leanchecker`, and when it counts; both are small scripts here."""

import pytest

from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.verdict import Verdict, VerdictStatus
from ragsolver_verifier.replay import MODULE, ReplayError, replay
from ragsolver_verifier.toolchain.native import require_native
from suites.native_stub import built, executable

SOURCE = "theorem foo : True := trivial\n"
VERDICT = Verdict(
    status=VerdictStatus.ACCEPTED,
    statement_digest="d",
    source=SOURCE,
    toolchain=LeanToolchain(kind="native", lean_version="4.28.0-rc1"),
)
COMPILE = 'echo "lean $@" >>"{log}"; cat "$3" >>"{log}"; echo olean >"$2"'
REPLAY = 'echo "leanchecker $@ $LEAN_PATH" >>"{log}"; echo "replaying $2"'


@pytest.fixture
def toolchain(tmp_path):
    built(tmp_path)
    return require_native(tmp_path)


def tools(toolchain, tmp_path, compiling=COMPILE, replaying=REPLAY):
    log = tmp_path / "log"
    for name, script in (("lean", compiling), ("leanchecker", replaying)):
        executable(toolchain.sysroot / "bin" / name, script.replace("{log}", str(log)))
    return log


def test_the_accepted_source_is_compiled_and_replayed(toolchain, tmp_path):
    log = tools(toolchain, tmp_path)
    replay(toolchain, VERDICT, 20.0)
    compiling, source, replaying = log.read_text().splitlines()
    assert compiling.startswith("lean -o /")
    assert compiling.endswith(f"/{MODULE}.lean")
    assert source == SOURCE.strip()
    said, path = replaying.rsplit(" ", 1)
    assert said == f"leanchecker -v {MODULE}"
    assert path.endswith(toolchain.lean_path[0])
    assert path.split(":")[0].rpartition("/")[2].startswith("ragsolver-replay-")


def test_each_program_is_confined(toolchain, tmp_path):
    log = tools(toolchain, tmp_path)
    wrapper = executable(tmp_path / "confine", f'echo "confined $1" >>"{log}"; shift; exec "$@"')
    replay(toolchain, VERDICT, 20.0, lambda folder, _: [str(wrapper), str(folder)])
    assert sum(line.startswith("confined /") for line in log.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"compiling": "echo 'error: no' >&2; exit 1"}, r"lean does not accept.*error: no"),
        ({"compiling": "exit 0"}, "no compiled file"),
        ({"replaying": "echo 'leanchecker found a problem' >&2; exit 1"}, "found a problem"),
        ({"replaying": "exit 0"}, "does not say that it replayed"),
        ({"replaying": f"echo 'not replaying {MODULE}'"}, "does not say that it replayed"),
        ({"replaying": "sleep 100"}, "did not end within 1 s"),
    ],
)
def test_silence_is_no_evidence(toolchain, tmp_path, changes, word):
    tools(toolchain, tmp_path, **changes)
    with pytest.raises(ReplayError, match=word):
        replay(toolchain, VERDICT, 1.0)


def test_without_the_program_nothing_is_replayed(toolchain):
    with pytest.raises(ReplayError, match="leanchecker is not in"):
        replay(toolchain, VERDICT, 1.0)
