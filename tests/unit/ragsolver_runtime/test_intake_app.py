import pytest

from ragsolver_runtime.connect import BusSettings
from ragsolver_runtime.errors import BusLostError
from ragsolver_runtime.intake_app import run_intake
from ragsolver_runtime.process import AppSettings


async def test_without_a_bus_the_intake_says_where_it_looked():
    settings = AppSettings(bus=BusSettings("nats://127.0.0.1:9", connect_timeout_s=1))
    with pytest.raises(BusLostError, match=r"127\.0\.0\.1:9"):
        await run_intake(settings, signals=False)
