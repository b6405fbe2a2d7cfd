"""Traces as files: events as an export would write them."""

from collections.abc import Sequence
from pathlib import Path

from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime.trace import trace_line
from ragsolver_runtime.trace_chain import ChainWriter
from ragsolver_runtime.wire import StoredEvent
from suites.sample_run import VERSIONS, sample_run


def trace_lines(events: Sequence[AnyEvent] | None = None) -> list[str]:
    """The sealed lines of a run, closing line last."""
    chain = ChainWriter()
    run = sample_run() if events is None else events
    lines = [
        chain.seal(trace_line(StoredEvent(number, event), VERSIONS, version=2))
        for number, event in enumerate(run, start=1)
    ]
    return [*lines, chain.close(run[0].run_id)]


def write_trace(path: Path, events: Sequence[AnyEvent] | None = None) -> Path:
    """Write a run's trace."""
    path.write_text("\n".join(trace_lines(events)) + "\n", encoding="utf-8")
    return path
