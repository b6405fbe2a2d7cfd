"""The port of a worker process, opened from its settings; the model itself with the first call."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from nats.aio.client import Client

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.backoff import Backoff
from ragsolver_runtime.llm.caller import Caller
from ragsolver_runtime.llm.ledger import Ledger
from ragsolver_runtime.llm.model import WITHOUT, Model
from ragsolver_runtime.llm.opening import open_provider, open_turns
from ragsolver_runtime.llm.port import NoModelError
from ragsolver_runtime.llm.prices import Prices, load_prices
from ragsolver_runtime.llm.settings import (
    DEFAULT_URL,
    KEY_VARIABLES,
    ModelSettings,
    key_variable,
    model_settings,
    server_url,
)
from ragsolver_runtime.recorded import RecordedOf

_LONGER_S = 30.0
"""A call that waits for its turn, or is stored slowly, is not lost yet."""


@asynccontextmanager
async def open_caller(
    ledger: Ledger,
    recorded: RecordedOf,
    table: Mapping[str, Any],
    env: Mapping[str, str],
    client: Client | None,
) -> AsyncIterator[Caller]:
    """The port for the block. Nothing is opened, and no key is needed, before the first call.

    Args:
        ledger: where calls are written down.
        recorded: recorded answers of replays.
        table: the `[model]` table of the worker settings.
        env: environment variables of this process, with the key.
        client: connection to the bus, which shares the limits; none: no limits.

    Raises:
        ConfigError: the table has an unknown key or a bad value.
    """
    settings = model_settings(table, "worker settings")
    async with AsyncExitStack() as stack:
        source = _Source(settings, env, client, stack)
        patience_s = settings.connect_s + settings.total_s + _LONGER_S
        yield Caller(ledger, source.model, recorded, patience_s)


def secrets_of(env: Mapping[str, str]) -> tuple[str, ...]:
    """The keys in an environment, which may stand in no event."""
    return tuple(env[name].strip() for name in KEY_VARIABLES if env.get(name, "").strip())


@dataclass
class _Source:
    """The model of a process, opened once."""

    settings: ModelSettings
    env: Mapping[str, str]
    client: Client | None
    stack: AsyncExitStack
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    _opened: Model | None = None

    async def model(self) -> Model:
        """The model.

        Raises:
            NoModelError: there is no key, or a file that the settings name is missing or wrong.
        """
        async with self._opening:
            self._opened = self._opened or await self._open()
            return self._opened

    async def _open(self) -> Model:
        settings = self.settings
        keyed = settings.provider == "anthropic" and server_url(settings, self.env) == DEFAULT_URL
        if keyed and key_variable(self.env) is None:
            said = f"no key: set {KEY_VARIABLES[0]} in the environment of the workers"
            raise NoModelError(f"{said}, {WITHOUT}")
        try:
            provider = await self.stack.enter_async_context(open_provider(settings, self.env))
            # A script, a trace or an echo is paid by nobody, whatever model it stands for.
            paid = settings.provider == "anthropic" or settings.prices
            prices = load_prices(settings.prices) if paid else Prices()
        except ConfigError as error:
            raise NoModelError(f"the model cannot be opened: {error}") from error
        backoff = Backoff(settings.tries, settings.first_delay_s, settings.longest_delay_s)
        return Model(provider, backoff, open_turns(self.client, settings), prices)
