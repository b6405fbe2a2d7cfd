"""The command `ragsolver`: commands of the runtime, and those that the worker packages add.

A package's commands come through the entry point group `ragsolver.commands`. A command whose
extra is not installed is listed as missing, with the command that installs it.
"""

import importlib
import os
import sys
from importlib.metadata import EntryPoint, entry_points, version

import click

from ragsolver_runtime.cli.exits import HELP, told_to_people
from ragsolver_runtime.doctor import extra_of, lacks_extra

ENTRY_POINT_GROUP = "ragsolver.commands"
DEBUG_VARIABLE = "RAGSOLVER_DEBUG"

_OWN = {
    "solve": "ragsolver_runtime.cli.solve:solve",
    "report": "ragsolver_runtime.cli.report:report",
    "watch": "ragsolver_runtime.cli.watch:watch",
    "web": "ragsolver_runtime.cli.web:web",
    "up": "ragsolver_runtime.cli.up:up",
    "submit": "ragsolver_runtime.cli.submit:submit",
    "cancel": "ragsolver_runtime.cli.cancel:cancel",
    "worker": "ragsolver_runtime.cli.worker:worker",
    "trace": "ragsolver_runtime.cli.trace:trace",
    "replay": "ragsolver_runtime.cli.replay:replay",
    "eval": "ragsolver_runtime.cli.eval:evaluation",
    "infra": "ragsolver_runtime.cli.infra:infra",
    "doctor": "ragsolver_runtime.cli.doctor:doctor",
    "schemas": "ragsolver_runtime.cli.schemas:schemas",
}
"""Commands of the runtime by name, in the order in which the help lists them."""


class Commands(click.Group):
    """Commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Own commands first, then those of the installed packages."""
        return [*_OWN, *(name for name in sorted(_contributed()) if name not in _OWN)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or a stand-in that says what installs it."""
        own = _OWN.get(cmd_name)
        if own is not None:
            module, _, attribute = own.partition(":")
            found: click.Command = getattr(importlib.import_module(module), attribute)
            return found
        entry = _contributed().get(cmd_name)
        return None if entry is None else _load(entry)


class OpenGroup(click.Group):
    """A group of the runtime to which packages add commands.

    They come through the entry point group `ragsolver.commands.<name of the group>`.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Own commands first, then those of the installed packages."""
        own = super().list_commands(ctx)
        return [*own, *(name for name in sorted(self._added()) if name not in own)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or a stand-in that says what installs it."""
        own = super().get_command(ctx, cmd_name)
        entry = self._added().get(cmd_name)
        return own if own is not None or entry is None else _load(entry)

    def _added(self) -> dict[str, EntryPoint]:
        return _contributed(f"{ENTRY_POINT_GROUP}.{self.name}")


def _contributed(group: str = ENTRY_POINT_GROUP) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=group)}


def _load(entry: EntryPoint) -> click.Command:
    try:
        found = entry.load()
    except ImportError as error:
        return _missing(entry, error) if lacks_extra(error) else _broken(entry, error)
    if not isinstance(found, click.Command):
        raise click.ClickException(f"entry point {entry.value} is not a command")
    return found


def _missing(entry: EntryPoint, error: ImportError) -> click.Command:
    install = f"pip install '{extra_of(entry)}'"
    told = click.ClickException(f"`{entry.name}` is not installed ({error}): {install}")
    return _stand_in(entry.name, f"(missing: {install})", told)


def _broken(entry: EntryPoint, error: ImportError) -> click.Command:
    return _stand_in(entry.name, f"(broken: {error})", error)


def _stand_in(name: str, said: str, told: Exception) -> click.Command:
    def _tell(arguments: tuple[str, ...]) -> None:
        raise told

    return click.Command(
        name,
        callback=_tell,
        params=[click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True, "help_option_names": []},
        short_help=said,
        help=said,
    )


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=HELP,
)
@click.version_option(version("ragsolver"), prog_name="ragsolver")
@click.option("--debug", is_flag=True, help="Show where an error came from.")
def ragsolver(*, debug: bool) -> None:
    """Solve mathematical problems with Lean-checked proofs and machine-checked citations."""
    if debug:
        os.environ[DEBUG_VARIABLE] = "1"


def main() -> None:
    """Run the command line; every expected error is one message and an exit code."""
    debug = "--debug" in sys.argv[1:] or bool(os.environ.get(DEBUG_VARIABLE))
    with told_to_people(debug=debug):
        code = ragsolver.main(standalone_mode=False)
        raise SystemExit(code if isinstance(code, int) else 0)
