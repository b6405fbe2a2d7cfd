import pytest
from nats import errors
from nats.js import api
from nats.js.errors import APIError, NotFoundError

from ragsolver_runtime.errors import BusError
from ragsolver_runtime.llm.limit_store import JetStreamLimits
from ragsolver_runtime.llm.limits import ABSENT
from ragsolver_runtime.streams import LIMITS


class Scripted:
    """A JetStream context whose every request ends in the same way."""

    def __init__(self, ends):
        self.ends = ends
        self.asked = []

    async def _end(self, *args, **kwargs):
        self.asked.append((args, kwargs))
        if isinstance(self.ends, Exception):
            raise self.ends
        return self.ends

    publish = get_last_msg = delete_msg = stream_info = _end


async def test_a_missing_key_is_absent_and_a_taken_one_is_not_replaced():
    assert await JetStreamLimits(Scripted(NotFoundError())).get("a") == ABSENT
    wrong = APIError(code=400, err_code=10071)
    assert await JetStreamLimits(Scripted(wrong)).put("a", b"", 0) is None


async def test_a_put_expects_its_revision_and_has_a_time_to_live():
    js = Scripted(api.PubAck(stream=LIMITS, seq=7))
    assert await JetStreamLimits(js).put("a.b", b"v", 3, ttl_s=5) == 7
    (args, kwargs) = js.asked[0]
    assert args == ("$KV.RS_LIMITS.a.b", b"v")
    assert kwargs["msg_ttl"] == 5
    assert kwargs["headers"] == {"Nats-Expected-Last-Subject-Sequence": "3"}


async def test_dropping_what_is_gone_is_nothing():
    await JetStreamLimits(Scripted(NotFoundError())).drop(3)


@pytest.mark.parametrize("error", [errors.TimeoutError(), errors.NoRespondersError(), OSError()])
async def test_a_bus_that_does_not_answer_is_an_error_of_the_bus(error):
    store = JetStreamLimits(Scripted(error))
    for asking in (store.get("a"), store.put("a", b"", 0), store.drop(1), store.keys("a")):
        with pytest.raises(BusError, match="limits"):
            await asking
