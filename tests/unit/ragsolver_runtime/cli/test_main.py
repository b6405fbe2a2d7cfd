from importlib.metadata import EntryPoint

import click
import pytest
from click.testing import CliRunner

from ragsolver_runtime.cli import main as main_module
from ragsolver_runtime.cli.main import main, ragsolver

GROUP = main_module.ENTRY_POINT_GROUP


@click.command()
@click.argument("words", nargs=-1)
def echo(words: tuple[str, ...]) -> None:
    """Say it again."""
    click.echo(" ".join(words))


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        EntryPoint("echo", f"{__name__}:echo", GROUP),
        EntryPoint("search", "ragsolver_rag.cli:search", GROUP),
        EntryPoint("index", "ragsolver_rag.cli:index", GROUP),
    ]
    errors = {
        "search": ModuleNotFoundError("No module named 'lancedb'", name="lancedb"),
        "index": ImportError("cannot import name 'x'", name="ragsolver_rag.cli"),
    }

    def _load(entry: EntryPoint) -> click.Command:
        if entry.name in errors:
            raise errors[entry.name]
        return echo

    monkeypatch.setattr(main_module, "entry_points", lambda group: found)
    monkeypatch.setattr(EntryPoint, "load", _load)


def test_help_lists_every_command_and_the_exit_codes() -> None:
    done = CliRunner().invoke(ragsolver, ["--help"])
    assert done.exit_code == 0
    for name in ("solve", "submit", "watch", "report", "up", "worker", "cancel", "trace"):
        assert f"\n  {name} " in done.output
    assert "Say it again." in done.output
    assert "130  interrupted" in done.output


def test_a_command_of_a_package_runs() -> None:
    assert CliRunner().invoke(ragsolver, ["echo", "a", "b"]).output == "a b\n"


def test_a_command_whose_extra_is_missing_says_what_installs_it() -> None:
    listed = CliRunner().invoke(ragsolver, ["--help"])
    assert "(missing: pip install 'ragsolver[rag]')" in listed.output
    tried = CliRunner().invoke(ragsolver, ["search", "--k", "3", "prime"])
    assert tried.exit_code != 0
    assert "pip install 'ragsolver[rag]'" in tried.output


def test_a_broken_command_does_not_hide_the_others() -> None:
    listed = CliRunner().invoke(ragsolver, ["--help"])
    assert listed.exit_code == 0
    assert "(broken: cannot import name 'x')" in listed.output
    assert isinstance(CliRunner().invoke(ragsolver, ["index"]).exception, ImportError)


@pytest.mark.parametrize("arguments", [["no-such"], ["solve", "--no-such"], ["worker"]])
def test_wrong_usage_is_exit_code_2(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ragsolver", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_every_own_command_can_be_loaded() -> None:
    context = click.Context(ragsolver)
    assert isinstance(ragsolver, click.Group)
    for name in main_module._OWN:
        command = ragsolver.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.help
