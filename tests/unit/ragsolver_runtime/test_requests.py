import asyncio
from types import SimpleNamespace

import pytest
from nats import errors as nats_errors

from ragsolver_runtime import requests
from ragsolver_runtime.requests import PATIENCE_HEADER, RequestServer, Service, Services


class Message:
    def __init__(self, data=b"q", patience=None, reply="inbox"):
        self.data, self.reply = data, reply
        self.headers = None if patience is None else {PATIENCE_HEADER: patience}
        self.answers = []

    async def respond(self, data):
        self.answers.append(data)


class Client:
    max_payload = 1000

    def __init__(self):
        self.unsubscribed = 0

    async def subscribe(self, subject, queue, cb):
        self.subject, self.queue, self.take = subject, queue, cb
        return SimpleNamespace(unsubscribe=self.unsubscribe)

    async def unsubscribe(self):
        self.unsubscribed += 1


async def echo(raw, largest):
    return raw + str(largest).encode()


async def never(raw, largest):
    await asyncio.Event().wait()


async def broken(raw, largest):
    raise ValueError("x")


@pytest.fixture(autouse=True)
def settled(monkeypatch):
    async def settle(_):
        pass

    monkeypatch.setattr(requests, "settle", settle)


def service(answer=echo, **changes):
    return Service("s", "q", answer, sorry=str.encode, **changes)


async def served(offered, *messages, drain_s=5.0):
    client = Client()
    async with RequestServer(client, offered, drain_s=drain_s):
        for message in messages:
            await client.take(message)
    return [b"".join(message.answers) for message in messages], client


async def test_a_request_is_answered_and_work_is_finished_at_the_end():
    answers, client = await served(service(), Message(), Message(b"r"))
    assert answers == [b"q1000", b"r1000"]
    assert (client.subject, client.queue, client.unsubscribed) == ("s", "q", 1)


async def test_nobody_waits_for_an_answer_without_an_address():
    answers, _ = await served(service(), Message(reply=""))
    assert answers == [b""]


async def test_a_full_server_says_so():
    offered = service(never, at_once=1, waiting=1)
    answers, _ = await served(offered, *(Message() for _ in range(3)), drain_s=0.01)
    assert answers[2] == b"busy, try again"
    assert answers[:2] == [b"this server stops, try again"] * 2


@pytest.mark.parametrize("patience", ["0.01", "1e-3"])
async def test_work_ends_with_the_askers_patience(patience):
    answers, _ = await served(service(never), Message(patience=patience))
    assert answers == [b"there was no answer in the time that was given"]


@pytest.mark.parametrize("patience", ["x", "", "-1", "nan", "0"])
async def test_a_patience_that_is_none_is_ignored(patience):
    answers, _ = await served(service(), Message(patience=patience))
    assert answers == [b"q1000"]


async def test_no_request_is_worked_on_for_ever():
    answers, _ = await served(service(never, longest_s=0.01), Message())
    assert answers == [b"there was no answer in the time that was given"]


async def test_an_error_is_answered_and_the_next_request_too():
    answers, _ = await served(service(broken), Message(), Message())
    assert answers == [b"the server failed: ValueError"] * 2


async def test_an_answer_that_cannot_be_sent_stops_nothing():
    class Gone(Message):
        async def respond(self, data):
            raise nats_errors.ConnectionClosedError

    answers, _ = await served(service(), Gone(), Message())
    assert answers[1] == b"q1000"


async def test_all_servers_of_a_process_stop_at_once():
    client = Client()
    services = Services(client, drain_s=0.01)
    async with services.serve(service()):
        await services.stop()
        await services.stop()
    assert client.unsubscribed == 1
