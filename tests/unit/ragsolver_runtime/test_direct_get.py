import pytest
from nats.js.errors import ServiceUnavailableError

from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.direct_get import TOO_MANY, DirectGet
from ragsolver_runtime.errors import BusLostError
from suites.fake_bus import FakeClient

SUBMITTED = event(ProblemSubmitted(problem=problem()))
ASKED = {"multi_last": [subject_of(SUBMITTED)]}


def opened(client, budget_s=0.5):
    return DirectGet(client, "RS_EVENTS", timeout_s=0.1, budget_s=budget_s)


async def test_a_page_says_how_far_its_replica_is():
    client = FakeClient()
    await client.js.publish(subject_of(SUBMITTED), SUBMITTED.to_json())
    page = await opened(client).page(ASKED)
    assert (len(page.messages), page.status, page.up_to, page.pending) == (1, "204", 1, 0)
    client.limit = 0
    assert (await opened(client).page(ASKED)).status == TOO_MANY


async def test_a_page_is_asked_for_again_until_the_budget_is_used_up():
    client = FakeClient()
    client.silent = 1
    assert (await opened(client, 5).page(ASKED)).status == "404"
    client.silent = 1000
    with pytest.raises(TimeoutError, match="did not answer"):
        await opened(client, 0).page(ASKED)
    assert client.subscriptions == []
    client.is_closed = True
    with pytest.raises(BusLostError):
        await opened(client).page(ASKED)


async def test_the_leader_is_asked_again_while_there_is_none(monkeypatch):
    client = FakeClient()
    await client.js.publish(subject_of(SUBMITTED), SUBMITTED.to_json())
    without, told = [ServiceUnavailableError()], client.js.stream_info

    async def _stream_info(*given, **named):
        if without:
            raise without.pop()
        return await told(*given, **named)

    monkeypatch.setattr(client.js, "stream_info", _stream_info)
    assert await opened(client, 5).leader_has(subject_of(SUBMITTED))
    assert not await opened(client).leader_has("rs.v1.other.>")
    without += [ServiceUnavailableError()] * 9
    with pytest.raises(TimeoutError, match="leader of RS_EVENTS"):
        await opened(client, 0).leader_has("rs.v1.>")
