from types import SimpleNamespace

import pytest
from nats import errors as nats_errors

from ragsolver_contracts import subjects
from ragsolver_contracts.check import CheckReply, CheckRequest
from ragsolver_runtime.ask_check import UnansweredError, ask_check
from ragsolver_runtime.requests import PATIENCE_HEADER

REQUEST = CheckRequest(statement="theorem a : p", candidates=({"id": "a", "proof": "x"},))


class Client:
    max_payload = 10

    def __init__(self, answer):
        self.answer = answer

    async def request(self, subject, raw, **options):
        self.asked = (subject, raw, options["timeout"], options["headers"])
        if isinstance(self.answer, Exception):
            raise self.answer
        return SimpleNamespace(data=self.answer)


async def test_the_reply_is_read_and_the_server_told_how_long_we_wait():
    client = Client(CheckReply(status="failed", detail="busy").model_dump_json().encode())
    reply = await ask_check(client, REQUEST, 7.5)
    assert reply.detail == "busy"
    subject, raw, timeout, headers = client.asked
    assert (subject, timeout, headers[PATIENCE_HEADER]) == (subjects.CHECK, 7.5, "7.5")
    assert CheckRequest.model_validate_json(raw) == REQUEST


async def test_bytes_go_out_as_they_are():
    client = Client(b'{"status": "refused"}')
    await ask_check(client, b"x")
    assert client.asked[1] == b"x"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (nats_errors.NoRespondersError(), "lean serve"),
        (nats_errors.TimeoutError(), "ask again"),
        (nats_errors.MaxPayloadError(), "send fewer"),
        (nats_errors.ConnectionClosedError(), "does not carry"),
        (b"{}", "no CheckReply"),
    ],
)
async def test_no_answer_is_said_and_is_no_reply(answer, said):
    with pytest.raises(UnansweredError, match=said):
        await ask_check(Client(answer), REQUEST)
