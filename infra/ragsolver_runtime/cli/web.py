"""`ragsolver web`: the web page that shows runs while they go on."""

import asyncio
import importlib.util
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ragsolver_runtime.bus_session import Bus
from ragsolver_runtime.cli.options import bus_options, bus_settings, examples, workspace_of
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.hosting import InterruptedRunError, run_interruptibly
from ragsolver_runtime.workspace import Workspace

if TYPE_CHECKING:
    from ragsolver_runtime.web.serving import WebSettings
    from ragsolver_runtime.web.source import Opener

F = TypeVar("F", bound=Callable[..., Any])

PORT = 8080


def web_option(function: F) -> F:
    """`--web [PORT]`, for commands that run a bus."""
    return click.option(
        "--web",
        "web_port",
        is_flag=False,
        flag_value=PORT,
        type=click.IntRange(0, 65535),
        metavar="[PORT]",
        callback=_able,
        help=f"Also serve the web page, on this machine only.  [default port: {PORT}]",
    )(function)


def _able(_: click.Context, __: click.Parameter, port: int | None) -> int | None:
    if port is not None:
        require_web()
    return port


@click.command(
    epilog=examples(
        "ragsolver web",
        "ragsolver web --open --reports evaluation",
        "ragsolver web --nats nats://10.0.0.5:4222 --port 9000",
    )
)
@bus_options
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port of the page; 0 for any free one.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of the page.")
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="A further host name by which the page may be called.",
)
@click.option(
    "--reports",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with reports of `eval solve` or `eval retrieval`, also below it.",
)
@click.option("--open", "open_page", is_flag=True, help="Open it in the browser.")
def web(
    nats_url: str | None,
    data: Path | None,
    port: int,
    host: str,
    names: tuple[str, ...],
    reports: tuple[Path, ...],
    *,
    open_page: bool,
) -> None:
    """Serve the page that shows runs live, until Ctrl-C.

    It looks at a running `up` or `solve`, or at the data folder where nothing runs, and only
    reads. While it serves a data folder at rest, `up` and `solve` on that folder have to wait
    for its end: give them `--web` instead.
    """
    require_web()
    workspace = workspace_of(data)
    try:
        run_interruptibly(
            _web(workspace, nats_url, host, port, names, reports, open_page=open_page)
        )
    except InterruptedRunError:
        click.echo("stopped", err=True)


async def _web(
    workspace: Workspace,
    nats_url: str | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    reports: tuple[Path, ...],
    *,
    open_page: bool,
) -> None:
    from ragsolver_runtime.web.serving import WebSettings
    from ragsolver_runtime.web.source import opener_of

    settings = WebSettings(host, port, names, reports, str(workspace.data))
    opener = opener_of(nats_url, workspace, bus_settings())
    async with _page(settings, opener) as url:
        if open_page:
            await asyncio.to_thread(webbrowser.open, url)
        await asyncio.Event().wait()


def page_beside(
    bus: Bus, port: int | None, workspace: Workspace
) -> AbstractAsyncContextManager[None]:
    """The page beside a bus that a command runs, for the block; nothing where no port is given."""
    if port is None:
        return nullcontext()
    return _beside(bus, port, workspace)


@asynccontextmanager
async def _beside(bus: Bus, port: int, workspace: Workspace) -> AsyncIterator[None]:
    from ragsolver_runtime.web.serving import WebSettings
    from ragsolver_runtime.web.source import opener_on

    settings = WebSettings(port=port, data=str(workspace.data))
    async with _page(settings, opener_on(bus)):
        yield


@asynccontextmanager
async def _page(settings: "WebSettings", opener: "Opener") -> AsyncIterator[str]:
    from ragsolver_runtime.web.serving import served, warnings_of

    for warning in warnings_of(settings):
        click.secho(f"warning: {warning}", fg="yellow", err=True)
    async with served(settings, opener) as url:
        click.echo(f"web page at {url}", err=True)
        yield url


def require_web() -> None:
    """Refuse to serve where the server is not installed.

    Raises:
        ConfigError: with the command that installs it.
    """
    missing = [m for m in ("starlette", "uvicorn") if importlib.util.find_spec(m) is None]
    if missing:
        raise ConfigError(
            f"the web page needs {' and '.join(missing)}: pip install 'ragsolver[web]'"
        )
