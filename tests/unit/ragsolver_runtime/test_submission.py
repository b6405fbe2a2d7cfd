from types import SimpleNamespace
from typing import Any

import pytest
from nats import errors as nats_errors

from ragsolver_contracts.problem import SubmitReply
from ragsolver_runtime.errors import BusLostError, PublishError
from ragsolver_runtime.submission import post_input

REPLY = SubmitReply(status="accepted", run_id="r1", problem_id="p")


class Client:
    """Fails some times, then answers."""

    def __init__(self, *failures: Exception, closed: bool = False) -> None:
        self.failures = list(failures)
        self.asked: list[tuple[str, bytes, Any]] = []
        self.is_closed = closed

    async def request(self, subject: str, message: bytes, *, timeout: float, headers: Any) -> Any:  # noqa: ASYNC109
        self.asked.append((subject, message, headers))
        if self.failures:
            raise self.failures.pop(0)
        return SimpleNamespace(data=REPLY.model_dump_json().encode())


async def test_the_same_input_is_posted_until_it_is_answered() -> None:
    client = Client(nats_errors.TimeoutError(), nats_errors.NoRespondersError())
    assert await post_input(client, b"{}", run_id="r1", line=7) == REPLY  # type: ignore[arg-type]
    assert client.asked == [("rs.submit", b"{}", {"Rs-Run": "r1", "Rs-Line": "7"})] * 3


async def test_silence_is_an_error_that_says_what_to_check() -> None:
    client = Client(*[nats_errors.TimeoutError()] * 100)
    with pytest.raises(PublishError, match="worker intake"):
        await post_input(client, b"{}", budget_s=0.5)  # type: ignore[arg-type]


async def test_a_closed_connection_is_not_waited_for() -> None:
    client = Client(nats_errors.ConnectionClosedError(), closed=True)
    with pytest.raises(BusLostError):
        await post_input(client, b"{}")  # type: ignore[arg-type]
