"""A run whose workers and server are killed, stopped and robbed of a consumer, in two acts."""

from pathlib import Path

import pytest

from suites.soak_plan import AUTHOR, BOTH, CONSUMER, PAUSE, Strike
from suites.soaked_bus import one_server, opened

pytestmark = [pytest.mark.connected, pytest.mark.timeout(240)]

STRIKES = (
    Strike("llm_reserved", 1, AUTHOR, 0.02),
    Strike("candidate_proposed", 1, BOTH, 0.0),
    Strike("evidence_retrieved", 1, PAUSE, 0.0, pause_s=3.2),
    Strike("statement_checked", 2, CONSUMER, 0.0),
)


async def test_what_is_killed_at_any_stage_loses_doubles_and_pays_nothing_twice(
    tmp_path: Path,
) -> None:
    async with one_server(tmp_path) as server, opened(tmp_path, server) as soak:
        await soak.calm_run("calm")
        assert sum(soak.calm.values()) == 25
        found = await soak.run("wild", STRIKES)
        times = [event.time async for event in soak.bus.reader.read_run("wild")]
    assert soak.soaked.wrong == []
    assert soak.soaked.strikes.total() == 5
    assert found.calls >= 6
    assert times != sorted(times), "all clocks were right"
    assert server.server.restarts == 1
