from types import SimpleNamespace

import pytest
from nats import errors as nats_errors

from ragsolver_runtime.streams import newcomers_durable
from ragsolver_runtime.web.lag import lags_of


def info(name: str | None, waiting: int):
    return SimpleNamespace(
        config=SimpleNamespace(durable_name=name),
        num_pending=waiting,
        num_ack_pending=1,
        num_redelivered=None,
        num_waiting=2,
    )


class Client:
    def __init__(self, *found, error: Exception | None = None) -> None:
        self._found, self._error = found, error

    def jetstream(self, timeout: float):
        return self

    async def consumers_info(self, stream: str):
        if self._error is not None:
            raise self._error
        return list(self._found)


async def test_roles_in_the_order_of_the_work() -> None:
    newcomers = newcomers_durable("verifier")
    found = [info(name, 4) for name in ("zeta", newcomers, "verifier", None, "planner")]
    lags = await lags_of(Client(*found))  # type: ignore[arg-type]
    assert [lag.role for lag in lags] == ["planner", "verifier", "verifier", "zeta"]
    assert [lag.queue for lag in lags[1:3]] == ["verifier", newcomers]
    assert (lags[1].waiting, lags[1].working, lags[1].redelivered, lags[1].asking) == (4, 1, 0, 2)


async def test_a_server_that_does_not_answer() -> None:
    with pytest.raises(TimeoutError, match="did not say"):
        await lags_of(Client(error=nats_errors.TimeoutError()))  # type: ignore[arg-type]
