from types import SimpleNamespace

import pytest
from nats import errors as nats_errors
from nats.js.errors import NotFoundError

from ragsolver_runtime.access.credentials import Credentials
from ragsolver_runtime.access.refusals import Refusals, attach
from ragsolver_runtime.connect import BusSettings
from ragsolver_runtime.drift import Difference
from ragsolver_runtime.errors import BusLostError, DriftError, RefusedError
from ragsolver_runtime.process import AppSettings
from ragsolver_runtime.provisioning import make_ready
from ragsolver_runtime.streams import input_consumer, stream_table

APP = AppSettings(bus=BusSettings("nats://x", credentials=Credentials("client", seed="S")))
TABLE = {stream.name: stream for stream in stream_table(APP.streams)}


class Js:
    """Answers from the declared table, but for what is said to be wrong."""

    def __init__(self, wrong=None):
        self.wrong = wrong

    async def stream_info(self, name):
        if self.wrong is not None and name == "RS_EVENTS":
            raise self.wrong
        return SimpleNamespace(config=TABLE[name])

    async def consumer_info(self, stream, name):
        return SimpleNamespace(config=input_consumer())


def client(wrong=None):
    return SimpleNamespace(options={}, jetstream=lambda timeout: Js(wrong))


async def test_a_role_only_looks_and_a_bus_as_declared_is_fine():
    await make_ready(client(), APP)


async def test_what_is_missing_is_the_operators_to_make():
    with pytest.raises(DriftError, match=r"no stream RS_EVENTS, and role client .* provision"):
        await make_ready(client(NotFoundError(code=404)), APP)


async def test_silence_is_explained_by_the_refusal_that_caused_it():
    refused = client(nats_errors.TimeoutError())
    refusals = Refusals("x", "client")
    attach(refused, refusals)
    with pytest.raises(BusLostError, match="does not tell about stream RS_EVENTS"):
        await make_ready(refused, APP)
    await refusals.heard(
        nats_errors.Error('permissions violation for publish to "$js.api.stream.info.rs_events"')
    )
    with pytest.raises(RefusedError, match="role client"):
        await make_ready(refused, APP)


def test_a_difference_names_its_field():
    assert str(Difference("stream X", "max_age", 0, 1)) == "stream X: max_age is 1, declared 0"
