import pytest

from ragsolver_runtime.app import run_worker
from ragsolver_runtime.connect import BusSettings
from ragsolver_runtime.errors import BusLostError
from ragsolver_runtime.process import AppSettings
from ragsolver_runtime.testing import scripted_worker


async def nothing(context, case, trigger):
    return []


async def test_without_a_bus_a_worker_says_where_it_looked():
    settings = AppSettings(bus=BusSettings("nats://127.0.0.1:9", connect_timeout_s=1))
    with pytest.raises(BusLostError, match=r"127\.0\.0\.1:9"):
        await run_worker(scripted_worker(nothing), settings, signals=False)
