import click
import pytest

from ragsolver_runtime.cli.exits import ExitCode, code_of, told_to_people
from ragsolver_runtime.errors import BusLostError, ConfigError
from ragsolver_runtime.hosting import InterruptedRunError
from ragsolver_runtime.recheck import RecheckResult
from ragsolver_runtime.run_report import report_of_events
from suites.sample_run import RUN, RunWriter, sample_run, write_solved


def solved() -> list:
    run = RunWriter()
    write_solved(run, "p", 1)
    return run.events


def test_code_of_a_report() -> None:
    all_solved = report_of_events(RUN, solved())
    assert code_of(all_solved) is ExitCode.OK
    assert code_of(report_of_events(RUN, sample_run())) is ExitCode.NOT_ALL
    assert code_of(report_of_events(RUN, [])) is ExitCode.NOT_ALL
    doubted = all_solved.with_rechecks([RecheckResult("p", accepted=False)])
    assert code_of(doubted) is ExitCode.INFRASTRUCTURE


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ConfigError("no key x"), 2, "error: no key x"),
        (click.UsageError("bad flag"), 2, "bad flag"),
        (click.ClickException("no toolchain"), 3, "no toolchain"),
        (BusLostError("no server"), 3, "error: no server"),
        (OSError("disk"), 3, "error: disk"),
        (ValueError("odd"), 3, "ValueError: odd (this should not happen"),
        (ExceptionGroup("g", [BusLostError("one"), BusLostError("two")]), 3, "one; two"),
        (InterruptedRunError("interrupted: run r1"), 130, "interrupted: run r1"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_an_error_is_one_message_and_a_code(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended, told_to_people(debug=False):
        raise error
    assert ended.value.code == code
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told


def test_debug_shows_where_it_came_from(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit), told_to_people(debug=True):
        raise BusLostError("no server")
    assert "Traceback" in capsys.readouterr().err
