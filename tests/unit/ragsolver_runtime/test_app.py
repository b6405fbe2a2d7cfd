import re

import pytest

from ragsolver_runtime.app import AppSettings, instance_name, run_intake, run_worker
from ragsolver_runtime.connect import BusSettings
from ragsolver_runtime.errors import BusLostError
from ragsolver_runtime.testing import scripted_worker


async def nothing(context, case, trigger):
    return []


def test_instances_differ_and_fit_an_events_source():
    first, second = instance_name(), instance_name()
    assert first != second
    assert re.fullmatch(r"[A-Za-z0-9._-]+", first)


def test_running_work_gets_less_time_than_a_supervisor_waits():
    settings = AppSettings(bus=BusSettings("nats://x"))
    assert 0 < settings.drain_s <= 10


@pytest.mark.parametrize("start", ["worker", "intake"])
async def test_without_a_bus_a_process_says_where_it_looked(start):
    settings = AppSettings(bus=BusSettings("nats://127.0.0.1:9", connect_timeout_s=1))
    starting = (
        run_worker(scripted_worker(nothing), settings, signals=False)
        if start == "worker"
        else run_intake(settings, signals=False)
    )
    with pytest.raises(BusLostError, match=r"127\.0\.0\.1:9"):
        await starting
