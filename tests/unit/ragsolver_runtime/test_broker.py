import pytest

from ragsolver_runtime.broker import BusBroker
from ragsolver_runtime.connect import BusSettings
from ragsolver_runtime.errors import BusLostError


async def test_a_broker_says_like_every_process_that_nobody_answers():
    bus = BusSettings("nats://u:secret@127.0.0.1:9", connect_timeout_s=1, reconnect_wait_s=0.01)
    broker = BusBroker(bus, "x", drain_s=1.0, on_closed=lambda: None, on_refused=lambda *_: None)
    with pytest.raises(BusLostError, match=r"no NATS server answers at nats://127\.0\.0\.1:9"):
        await broker.connect()
