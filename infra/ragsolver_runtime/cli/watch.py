"""`ragsolver watch [RUN]`: the live progress of a run that somebody else started."""

import asyncio
import json
from pathlib import Path

import click

from ragsolver_runtime.bus_session import connected, running_url
from ragsolver_runtime.cli.options import (
    bus_options,
    bus_settings,
    examples,
    json_option,
    output,
    workspace_of,
)
from ragsolver_runtime.follow import follow
from ragsolver_runtime.progress import JsonProgress, progress_for
from ragsolver_runtime.render import calls_text, counts_line
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.runs import chosen_run
from ragsolver_runtime.tasks import end


@click.command(
    epilog=examples(
        "ragsolver watch",
        "ragsolver watch r20260101-120000-abcd1234 --nats nats://10.0.0.5:4222",
    )
)
@click.argument("run", required=False)
@bus_options
@json_option
def watch(run: str | None, nats_url: str | None, data: Path | None, *, as_json: bool) -> None:
    """Show RUN, or the latest run, until it is finished.

    With --json: a line for every problem that ended, as it ends, and one for the run at the end.
    """
    asyncio.run(_watch(run, running_url(nats_url, workspace_of(data)), as_json=as_json))


async def _watch(run: str | None, url: str, *, as_json: bool) -> None:
    console = output()
    async with connected(url, bus_settings(), "cli/watch") as bus:
        run_id = await chosen_run(bus.reader, run)
        started = await bus.reader.run_started(run_id)
        view = RunView(run_id)
        changed = asyncio.Event()
        total = started.problem_count if started else None
        shown = JsonProgress(click.echo) if as_json else progress_for(console, view, total)
        with shown as progress:
            following = asyncio.create_task(follow(bus.reader, view, progress, changed))
            try:
                while view.finished is None and not following.done():
                    changed.clear()
                    waiting = asyncio.create_task(changed.wait())
                    await asyncio.wait({waiting, following}, return_when=asyncio.FIRST_COMPLETED)
                    waiting.cancel()
                if following.done():
                    following.result()
            finally:
                await end(following)
    if as_json:
        outcomes = dict(view.outcomes())
        click.echo(json.dumps({"run": run_id, "outcomes": outcomes}, ensure_ascii=False))
        return
    totals = view.calls.totals
    calls = f"; {calls_text(totals)}" if totals.calls else ""
    click.echo(f"{run_id}: {counts_line(dict(view.outcomes()), len(view.open_problems))}{calls}")
