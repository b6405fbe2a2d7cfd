"""Calls are paid once and counted always, while the processes that make them are killed."""

from pathlib import Path

import pytest

from suites.llm_load import loaded

pytestmark = [pytest.mark.connected, pytest.mark.timeout(400)]


def test_every_request_is_one_recorded_call_within_its_budget_under_kills(tmp_path: Path) -> None:
    load = loaded(tmp_path, problems=20, kills=5, delay_s=0.2)
    assert load.wrong() == []
    assert load.kills == 5
    assert load.cut >= 1, "no kill came in the middle of a call"
    assert load.called.total() >= 20 * 15
