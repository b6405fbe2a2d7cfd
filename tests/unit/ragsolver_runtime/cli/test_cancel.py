import pytest
from click.testing import CliRunner

from ragsolver_runtime.cli import cancel as cancel_module
from ragsolver_runtime.cli.cancel import cancel
from suites.memory_bus import MemoryBus, opens
from suites.sample_run import RUN, sample_run


def test_what_is_open_is_cancelled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = MemoryBus(sample_run(finished=False))
    monkeypatch.setattr(cancel_module, "existing", opens(bus))
    first = CliRunner().invoke(cancel, [RUN, "--reason", "enough"])
    assert (first.exit_code, first.output) == (0, "cancelled dropped\n")
    (event,) = [e for e in bus.events.values() if e.name == "problem_cancelled"]
    assert (event.problem_id, event.data.reason) == ("dropped", "enough")
    second = CliRunner().invoke(cancel, [RUN])
    assert (second.exit_code, second.output) == (1, "nothing was open\n")
