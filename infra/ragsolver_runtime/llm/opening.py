"""The model that the settings name, opened for the life of a process."""

import asyncio
import importlib
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from nats.aio.client import Client

from ragsolver_contracts.llm import LlmOutcome, LlmReply, LlmRequest
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.echo import EchoModel
from ragsolver_runtime.llm.limit_store import JetStreamLimits
from ragsolver_runtime.llm.limits import NoLimits, SharedTurns, Turns
from ragsolver_runtime.llm.port import CallId, Provider
from ragsolver_runtime.llm.recorded import read_recorded
from ragsolver_runtime.llm.scripted import ScriptedModel, read_script
from ragsolver_runtime.llm.server_clock import ServerClock
from ragsolver_runtime.llm.settings import (
    DEFAULT_URL,
    KEY_VARIABLES,
    ModelSettings,
    key_variable,
    server_url,
)

EXTRA = "ragsolver[llm]"
_ADAPTER = "ragsolver_runtime.llm.anthropic_model"


@asynccontextmanager
async def open_provider(
    settings: ModelSettings, env: Mapping[str, str]
) -> AsyncIterator[Provider]:
    """Whoever answers, for the block; its `ask` raises for nothing but cancellation.

    Opening is cheap: a client is made, and its library imported, with the first request. What
    keeps a server from being asked (no key, the extra is not installed) is the outcome of each.

    Args:
        settings: the `[model]` table.
        env: environment variables of this process.

    Raises:
        ConfigError: the script or the trace is missing or wrong.
    """
    match settings.provider:
        case "echo":
            yield EchoModel(settings.echo_delay_s)
        case "scripted":
            yield ScriptedModel(read_script(_named(settings.script, "script")))
        case "recorded":
            yield read_recorded(_named(settings.trace, "trace"))
        case "anthropic":
            async with AsyncExitStack() as stack:
                yield _LazyServer(settings, env, stack)


def _named(file: str, key: str) -> str:
    if not file:
        raise ConfigError(f"worker settings [model]: this provider needs model.{key}=FILE")
    return file


def open_turns(client: Client | None, settings: ModelSettings) -> Turns:
    """The limits of a model, shared over a bus; none without one.

    Args:
        client: connection to the bus.
        settings: the `[model]` table.
    """
    if client is None:
        return NoLimits()
    store = JetStreamLimits(client.jetstream(timeout=5))
    clock = ServerClock(store.clock)
    return SharedTurns(store, settings, now=clock, set_clock=clock.set)


@dataclass
class _LazyServer:
    """A server whose client is made with the first request."""

    settings: ModelSettings
    env: Mapping[str, str]
    stack: AsyncExitStack

    def __post_init__(self) -> None:
        self._opening = asyncio.Lock()
        self._opened: Provider | None = None

    async def ask(self, request: LlmRequest, call: CallId) -> LlmReply:
        """What came of one try."""
        if key_variable(self.env) is None and server_url(self.settings, self.env) == DEFAULT_URL:
            said = f"no key: set {KEY_VARIABLES[0]} in the environment of the workers"
            return LlmReply(outcome=LlmOutcome.UNAUTHORIZED, error=said)
        try:
            async with self._opening:
                opened = self._opened = self._opened or await self._open()
        except ImportError as error:
            said = f"the client of the Messages API is not installed ({error})"
            fix = f"pip install '{EXTRA}' where the workers run"
            return LlmReply(outcome=LlmOutcome.REJECTED, error=f"{said}: {fix}")
        return await opened.ask(request, call)

    async def _open(self) -> Provider:
        # Takes about a second, which the heartbeats of running work would miss.
        adapter = await asyncio.to_thread(importlib.import_module, _ADAPTER)
        opened: Provider = await self.stack.enter_async_context(
            adapter.open_anthropic(self.settings, self.env)
        )
        return opened
