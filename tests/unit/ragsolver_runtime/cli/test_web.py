import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ragsolver_runtime.cli import web as web_module
from ragsolver_runtime.cli.web import PORT, page_beside, require_web, web, web_option
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.hosting import InterruptedRunError
from ragsolver_runtime.web import serving
from ragsolver_runtime.workspace import Workspace
from suites.memory_bus import MemoryBus


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[serving.WebSettings]:
    found: list[serving.WebSettings] = []

    @asynccontextmanager
    async def _served(settings, opener):
        found.append(settings)
        yield "http://127.0.0.1:1/"

    def _stopped(work) -> None:
        async def _briefly() -> None:
            task = asyncio.create_task(work)
            await asyncio.sleep(0.05)
            task.cancel()
            await asyncio.wait({task})

        asyncio.run(_briefly())
        raise InterruptedRunError("interrupted")

    monkeypatch.setattr(serving, "served", _served)
    monkeypatch.setattr(web_module, "run_interruptibly", _stopped)
    return found


def test_the_page_of_the_data_folder(tmp_path: Path, asked: list[serving.WebSettings]) -> None:
    done = CliRunner().invoke(web, ["--data", str(tmp_path), "--reports", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert done.output == "web page at http://127.0.0.1:1/\nstopped\n"
    (settings,) = asked
    assert (settings.host, settings.port, settings.reports) == ("127.0.0.1", PORT, (tmp_path,))
    assert settings.data == str(tmp_path)


def test_a_page_for_others_warns(tmp_path: Path, asked: list[serving.WebSettings]) -> None:
    done = CliRunner().invoke(web, ["--data", str(tmp_path), "--host", "10.0.0.1"])
    assert done.output.startswith("warning: the page is served on 10.0.0.1")


async def test_beside_a_bus(tmp_path: Path, asked: list[serving.WebSettings]) -> None:
    async with page_beside(MemoryBus(), 0, Workspace(tmp_path)):  # type: ignore[arg-type]
        assert [settings.port for settings in asked] == [0]
    async with page_beside(MemoryBus(), None, Workspace(tmp_path)):  # type: ignore[arg-type]
        assert len(asked) == 1


def test_the_option_has_a_default() -> None:
    command = click.command()(web_option(lambda web_port: click.echo(web_port)))
    for given, port in (([], "None"), (["--web"], str(PORT)), (["--web", "9000"], "9000")):
        assert CliRunner().invoke(command, given).output.strip() in {port, ""}


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'ragsolver\[web\]'"):
        require_web()
