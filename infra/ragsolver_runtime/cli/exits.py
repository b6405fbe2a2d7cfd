"""Exit codes, and how an error is told to a person."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

import click

from ragsolver_runtime.errors import BusError, ConfigError
from ragsolver_runtime.hosting import InterruptedRunError
from ragsolver_runtime.run_report import RunReport

HELP = """\b
Exit codes:
  0    what was asked is done; `solve`, `report`: every problem is proved
  1    some problem is not proved, false, refused or cancelled; a check found faults
  2    wrong usage, or an input file that cannot be read
  3    infrastructure: no bus, a worker that cannot live, a proof not accepted again
  130  interrupted; `ragsolver solve --resume` continues
"""


class ExitCode(IntEnum):
    """What the shell is told."""

    OK = 0
    NOT_ALL = 1
    USAGE = 2
    INFRASTRUCTURE = 3
    INTERRUPTED = 130


def code_of(report: RunReport) -> ExitCode:
    """The exit code that a run's report means."""
    if report.infrastructure_failed:
        return ExitCode.INFRASTRUCTURE
    return ExitCode.OK if report.all_solved else ExitCode.NOT_ALL


@contextmanager
def told_to_people(*, debug: bool) -> Iterator[None]:
    """Turn errors into one message and an exit code; `debug` shows where they came from."""
    try:
        yield
    except click.ClickException as error:
        error.show()
        usage = isinstance(error, (click.UsageError, click.FileError))
        raise SystemExit(ExitCode.USAGE if usage else ExitCode.INFRASTRUCTURE) from error
    except (KeyboardInterrupt, click.Abort, InterruptedRunError) as error:
        click.echo(str(error) or "interrupted", err=True)
        raise SystemExit(ExitCode.INTERRUPTED) from error
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        sys.stderr.close()
        raise SystemExit(ExitCode.OK) from None
    except Exception as error:
        if debug:
            traceback.print_exc()
        click.echo(f"error: {_said(error)}", err=True)
        code = ExitCode.USAGE if isinstance(error, ConfigError) else ExitCode.INFRASTRUCTURE
        raise SystemExit(code) from error


def _said(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(_said(inner) for inner in error.exceptions)
    if isinstance(error, (BusError, OSError)):
        return str(error)
    return f"{type(error).__name__}: {error} (this should not happen; --debug shows where)"
