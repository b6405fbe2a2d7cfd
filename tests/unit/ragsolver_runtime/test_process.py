import asyncio
import os
import re
import signal

from ragsolver_runtime.connect import BusSettings
from ragsolver_runtime.process import AppSettings, first_of, instance_name, stop_on_signals


def test_instances_differ_and_fit_an_events_source():
    first, second = instance_name(), instance_name()
    assert first != second
    assert re.fullmatch(r"[A-Za-z0-9._-]+", first)


def test_running_work_gets_less_time_than_a_supervisor_waits():
    settings = AppSettings(bus=BusSettings("nats://x"))
    assert 0 < settings.drain_s <= 10


async def test_any_event_ends_the_wait_and_none_does_not():
    stop, lost = asyncio.Event(), asyncio.Event()
    waiting = asyncio.create_task(first_of(stop, lost))
    await asyncio.sleep(0)
    assert not waiting.done()
    lost.set()
    await waiting


async def test_a_signal_sets_the_event():
    stop = asyncio.Event()
    stop_on_signals(stop)
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        async with asyncio.timeout(5):
            await stop.wait()
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().remove_signal_handler(number)
