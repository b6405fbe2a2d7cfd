import json

import pytest
from click.testing import CliRunner

from ragsolver_runtime.cli import watch as watch_module
from ragsolver_runtime.cli.watch import watch
from ragsolver_runtime.errors import BusError
from suites.asking_world import call_events
from suites.memory_bus import MemoryBus, opens
from suites.sample_run import RUN, sample_run


def test_a_run_is_shown_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "connected", opens(MemoryBus(sample_run())))
    done = CliRunner().invoke(watch, [RUN, "--nats", "nats://x"])
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert len(lines) == 6
    assert lines[0].startswith("[1/5] solved          add_zero_nat")
    assert lines[-1] == f"{RUN}: 1 solved, 1 not proved, 2 refused, 1 cancelled"


def test_a_bus_that_breaks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Breaking(MemoryBus):
        async def follow_run(self, run_id: str, *, after: int = 0):
            raise BusError("gone")
            yield

    monkeypatch.setattr(watch_module, "connected", opens(Breaking(sample_run())))
    done = CliRunner().invoke(watch, [RUN, "--nats", "nats://x"])
    assert isinstance(done.exception, BusError)


def test_calls_of_a_language_model_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    *events, finished = sample_run()
    calls = call_events(events[1], "add_zero_nat", RUN)
    bus = MemoryBus([*events, *calls, finished])
    monkeypatch.setattr(watch_module, "connected", opens(bus))
    done = CliRunner().invoke(watch, [RUN, "--nats", "nats://x"])
    assert done.output.splitlines()[-1].endswith("1 cancelled; 2 LLM calls (1 lost), $0.25")


def test_machines_get_a_line_for_every_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "connected", opens(MemoryBus(sample_run())))
    done = CliRunner().invoke(watch, [RUN, "--nats", "nats://x", "--json"])
    assert done.exit_code == 0
    *ended, last = map(json.loads, done.output.splitlines())
    assert ended[0]["ended"]["name"] == "add_zero_nat"
    assert len(ended) == 5
    assert last == {
        "run": RUN,
        "outcomes": {"solved": 1, "not_proved": 1, "refused": 2, "cancelled": 1},
    }
