import json
from contextlib import asynccontextmanager

import pytest
from click.testing import CliRunner

from ragsolver_verifier import handler
from ragsolver_verifier.cli_check import check_command
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.pool_settings import PoolSettings
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from suites.scripted_lean import ScriptedSession, honest, outlined, wrong

TEXT = "theorem foo : p := q\ntheorem bar : p := q\n"
WORDS = ("theorem", "theorem", ":=", "q")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs the command in a folder; `answer` is what Lean says to checks."""
    state = {}

    def invoke(*arguments, answer=honest, files=(("a.lean", TEXT),), stdin=None):
        def say(request):
            if request["op"] == "outline":
                return outlined(TEXT, ("foo", *WORDS), ("bar", *WORDS))
            return answer(request) if request["op"] == "check" else honest(request)

        @asynccontextmanager
        async def opened(settings):
            state["settings"] = settings
            sizes = PoolSettings(sessions=settings.sessions)
            async with SessionPool(lambda: ScriptedSession(say), lambda _: None, sizes) as pool:
                yield pool

        monkeypatch.setattr(handler, "open_checker", state.get("open") or opened)
        for name, text in files:
            (tmp_path / name).write_text(text)
        monkeypatch.chdir(tmp_path)
        done = CliRunner().invoke(check_command, [*arguments], input=stdin)
        done.settings = state.get("settings")
        return done

    invoke.state = state
    return invoke


def test_all_accepted(run):
    done = run("a.lean")
    assert done.exit_code == 0
    assert done.stdout.startswith("a.lean:1:0: accepted: foo")


def test_one_is_enough_to_fail(run):
    answers = iter([honest, wrong])
    done = run("a.lean", answer=lambda request: next(answers)(request))
    assert done.exit_code == 1
    assert "a.lean:2:0: rejected (elaboration_error): bar" in done.stdout


def test_a_folder_and_a_missing_file(run):
    done = run(".", "absent.lean", files=(("a.lean", TEXT), ("b.lean", TEXT)))
    assert done.exit_code == 2
    assert done.stdout.startswith("absent.lean: unread: there is no such file")
    assert done.stdout.count("accepted: foo") == 2


def test_json_lines_end_in_the_summary(run):
    done = run("a.lean", "--json")
    first, second, last = map(json.loads, done.stdout.splitlines())
    assert (first["file"], first["name"], first["result"]) == ("a.lean", "foo", "accepted")
    assert second["verdict"]["status"] == "accepted"
    assert last["summary"]["results"] == {"accepted": 2}
    assert last["summary"]["exit_code"] == 0


def test_standard_input(run):
    done = run("-", stdin=TEXT)
    assert done.stdout.startswith("-:1:0: accepted: foo")


def test_fail_fast(run):
    done = run("a.lean", "b.lean", "--fail-fast", "--jobs", "1", answer=wrong)
    assert "unread" in done.stdout
    assert "foo" not in done.stdout
    done = run("a.lean", "--fail-fast", answer=wrong)
    assert "bar" not in done.stdout


def test_limits_reach_lean(run):
    asked = []

    def answer(request):
        asked.append(request)
        return honest(request)

    done = run("a.lean", "--heartbeats", "5000", "--memory-mb", "900", answer=answer)
    assert asked[0]["max_heartbeats"] == 5000
    assert done.settings.session_mb == 900


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Missing argument"),
        (("a.lean", "b.lean", "--name", "foo"), "about one file"),
        (("a.lean", "--timeout", "0"), "limits must be positive"),
        (("-", "-"), "only once"),
    ],
)
def test_wrong_usage(run, arguments, said):
    done = run(*arguments)
    assert done.exit_code == 2
    assert said in done.output


def test_without_a_toolchain_it_says_what_to_run(run):
    @asynccontextmanager
    async def missing(_):
        raise ToolchainMissing("run `ragsolver lean install`")
        yield

    run.state["open"] = missing
    done = run("a.lean")
    assert done.exit_code == 3
    assert "ragsolver lean install" in done.stderr
