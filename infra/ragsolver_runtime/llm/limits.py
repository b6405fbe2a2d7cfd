"""How often a model may be asked at once and per minute, over all workers of a bus.

A turn is one request. It takes a slot, which its holder keeps alive: a slot whose holder died
is free again within seconds. Rates are a bucket that fills up by the minute; a call's tokens are
known after it, so the bucket may go below zero and the next calls wait until it is filled again.
When a server says how long to wait, every worker waits.
"""

import asyncio
import logging
import math
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from ragsolver_contracts.base import Model
from ragsolver_contracts.ids import digest
from ragsolver_contracts.llm import LlmOutcome, LlmReply, Usage
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.llm.settings import ModelSettings
from ragsolver_runtime.tasks import end

_log = logging.getLogger(__name__)

SLOT_TTL_S = 5
"""A slot that nobody keeps alive for so long is free; whole seconds, as the server counts."""
_REFRESH_S = 1.2
_FIRST_WAIT_S = 0.02
_LONGEST_WAIT_S = 0.4
_MINUTE_S = 60.0
_ASKS_TO_WAIT = frozenset({LlmOutcome.RATE_LIMITED, LlmOutcome.OVERLOADED})


class Turn(Protocol):
    """One request that may be made now."""

    async def settle(self, reply: LlmReply) -> None:
        """Tell what came of it: its tokens, and whether the server asks us to wait."""


class Turns(Protocol):
    """Gives out turns."""

    def turn(self) -> AbstractAsyncContextManager[Turn]:
        """`async with turns.turn() as turn:` waits until a request may be made."""


@dataclass(frozen=True)
class Held:
    """A value as it is stored."""

    value: bytes
    revision: int
    """Of the key; 0: it is not there."""


ABSENT = Held(b"", 0)


class LimitStore(Protocol):
    """Keys with values that all workers of a bus share."""

    async def get(self, key: str) -> Held:
        """The value of a key; `ABSENT` where it has none."""

    async def put(
        self, key: str, value: bytes, revision: int, ttl_s: int | None = None
    ) -> int | None:
        """Replace a key that is still at `revision`; its new revision, or none: it is not.

        Args:
            key: letters, digits, `.`, `-`, `_`.
            value: anything.
            revision: as read; 0: the key must not be there.
            ttl_s: seconds after which it vanishes by itself.
        """

    async def drop(self, revision: int) -> None:
        """Remove the key that has this revision, if one still has."""

    async def keys(self, prefix: str) -> set[str]:
        """The keys that begin with `prefix` and a dot."""


class _Bucket(Model):
    """What is left of the rates."""

    requests: float
    tokens: float
    at: float
    """Seconds since the epoch at which that was so."""


@dataclass(frozen=True)
class _OpenTurn:
    """Held until its block ends."""

    limits: "SharedTurns"

    async def settle(self, reply: LlmReply) -> None:
        """Take the tokens, and pause everybody where the server asks for it."""
        try:
            await self.limits.spend(reply.usage)
            if reply.outcome in _ASKS_TO_WAIT and reply.retry_after_s:
                await self.limits.pause(reply.retry_after_s)
        except BusError as error:  # the answer is there, and is worth more than the account
            _log.warning("the limits of the model could not be told: %s", error)


async def _set_already() -> None:
    """A clock that needs no setting."""


@dataclass
class SharedTurns:
    """Turns over all processes that share a store."""

    store: LimitStore
    settings: ModelSettings
    now: Callable[[], float] = time.time
    """The clock that all processes agree on."""
    set_clock: Callable[[], Awaitable[None]] = _set_already
    """Called before `now` is."""
    slot_ttl_s: int = SLOT_TTL_S
    _queue: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """One of this process looks at a time, in the order in which they came."""

    @property
    def scope(self) -> str:
        """Whose limits: the same for all who ask the same server."""
        asked = self.settings
        return digest(f"{asked.provider} {asked.base_url} {asked.script} {asked.trace}")[:12]

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Turn]:
        """A slot, for the block.

        Raises:
            BusError: the store does not answer.
        """
        key, revision = await self._take()
        holder = _Holder(self.store, key, revision, self.slot_ttl_s)
        keeping = asyncio.create_task(holder.keep(), name=f"turn {key}")
        try:
            yield _OpenTurn(self)
        finally:
            await end(keeping)
            await holder.free()

    async def _take(self) -> tuple[str, int]:
        async with self._queue:
            await self.set_clock()
            wait = _FIRST_WAIT_S
            while True:
                blocked = await self._blocked_s()
                taken = None if blocked else await self._free_slot()
                if taken is not None:
                    if await self._take_request():
                        return taken
                    await self.store.drop(taken[1])
                # Waiting ends early where the pause is long, to see one that was ended.
                await asyncio.sleep(min(blocked, _LONGEST_WAIT_S) or wait * random.uniform(0.5, 1))  # noqa: S311
                wait = min(wait * 2, _LONGEST_WAIT_S)

    async def _free_slot(self) -> tuple[str, int] | None:
        prefix = f"{self.scope}.slot"
        taken = await self.store.keys(prefix)
        every = (f"{prefix}.{number}" for number in range(self.settings.concurrency))
        free = [key for key in every if key not in taken]
        random.shuffle(free)  # two that look at once should not meet
        for key in free[:3]:
            revision = await self.store.put(key, b"", 0, self.slot_ttl_s)
            if revision is not None:
                return key, revision
        return None

    async def _blocked_s(self) -> float:
        """Seconds until a server may be asked again; 0: now."""
        held = await self.store.get(f"{self.scope}.pause")
        return max(float(held.value) - self.now(), 0.0) if held.revision else 0.0

    async def pause(self, seconds: float) -> None:
        """Nobody asks for a while; a longer pause that is there already stays."""
        seconds = min(seconds, self.settings.longest_delay_s)
        until, key = self.now() + seconds, f"{self.scope}.pause"
        while seconds > 0:
            held = await self.store.get(key)
            if held.revision and float(held.value) >= until:
                return
            said = f"{until:.3f}".encode()
            ttl_s = max(math.ceil(seconds), 1)
            if await self.store.put(key, said, held.revision, ttl_s) is not None:
                return

    async def _take_request(self) -> bool:
        if not self.settings.requests_per_minute and not self.settings.tokens_per_minute:
            return True
        return await self._change(1.0, 0.0, only_if_there=True)

    async def spend(self, usage: Usage) -> None:
        """Take a call's tokens from the bucket."""
        if self.settings.tokens_per_minute:
            tokens = usage.input_tokens + usage.output_tokens + usage.cache_write_tokens
            await self._change(0.0, float(tokens), only_if_there=False)

    async def _change(self, requests: float, tokens: float, *, only_if_there: bool) -> bool:
        key = f"{self.scope}.rate"
        while True:
            held = await self.store.get(key)
            bucket = self._filled(held)
            limited = self.settings.requests_per_minute > 0
            if only_if_there and (
                (limited and bucket.requests < requests)
                or (self.settings.tokens_per_minute > 0 and bucket.tokens <= 0)
            ):
                return False
            left = bucket.model_copy(
                update={"requests": bucket.requests - requests, "tokens": bucket.tokens - tokens}
            )
            if await self.store.put(key, left.model_dump_json().encode(), held.revision):
                return True

    def _filled(self, held: Held) -> _Bucket:
        """The bucket as of now. A clock that is behind fills nothing: time only goes forward."""
        most = (self.settings.requests_per_minute, self.settings.tokens_per_minute)
        if not held.revision:
            # A burst of a tenth of a minute at the beginning, as servers allow it.
            burst = [max(rate / 10, 1.0) for rate in most]
            return _Bucket(requests=burst[0], tokens=burst[1], at=self.now())
        bucket = _Bucket.model_validate_json(held.value)
        passed = max(self.now() - bucket.at, 0.0)
        requests, tokens = (
            min(left + rate * passed / _MINUTE_S, max(rate / 10, 1.0))
            for left, rate in zip((bucket.requests, bucket.tokens), most, strict=True)
        )
        return _Bucket(requests=requests, tokens=tokens, at=max(bucket.at, self.now()))


@dataclass
class _Holder:
    """Keeps one slot alive."""

    store: LimitStore
    key: str
    revision: int
    ttl_s: int

    async def keep(self) -> None:
        """Refresh the slot until cancelled; one that was lost is not taken again."""
        every = min(_REFRESH_S, self.ttl_s / 4)
        while True:
            await asyncio.sleep(every)
            try:
                renewed = await self.store.put(self.key, b"", self.revision, self.ttl_s)
            except BusError as error:
                _log.warning("slot %s could not be kept: %s", self.key, error)
                continue
            if renewed is None:
                _log.warning("slot %s ran out while its request is on its way", self.key)
                self.revision = 0
                return
            self.revision = renewed

    async def free(self) -> None:
        """Give the slot back; where the bus is away it runs out by itself."""
        if not self.revision:
            return
        try:
            await self.store.drop(self.revision)
        except BusError as error:
            _log.warning("slot %s could not be freed, it runs out: %s", self.key, error)


class _FreeTurn:
    async def settle(self, reply: LlmReply) -> None:
        """Nothing is limited."""


class NoLimits:
    """Turns at once, for processes without a bus."""

    def turn(self) -> AbstractAsyncContextManager[Turn]:
        """At once."""
        return nullcontext(_FreeTurn())
