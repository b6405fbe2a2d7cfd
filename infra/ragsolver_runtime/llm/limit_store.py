"""The limits' keys on JetStream: the latest message of a subject is the value of a key.

A key that nobody renews goes by the server's own clock (a time to live per message), and one
that is dropped leaves no marker, so a taken slot is a subject that exists.
"""

from typing import Any

from nats import errors as nats_errors
from nats.js import JetStreamContext, api
from nats.js.errors import APIError, NotFoundError

from ragsolver_runtime.errors import BusError
from ragsolver_runtime.llm.limits import ABSENT, Held
from ragsolver_runtime.streams import LIMITS, LIMITS_PREFIX

_WRONG_SEQUENCE = {10071, 10164}
_CLOCK = "clock"
"""A key that is written to learn when."""
_LOST = (nats_errors.Error, TimeoutError, OSError)


class JetStreamLimits:
    """The store that all workers of a bus share."""

    def __init__(self, js: JetStreamContext) -> None:
        self._js = js

    async def get(self, key: str) -> Held:
        """The value of a key.

        Raises:
            BusError: the bus does not answer.
        """
        try:
            # Not the direct get: a replica may be behind, and would show a slot as free.
            found = await self._js.get_last_msg(LIMITS, LIMITS_PREFIX + key)
        except NotFoundError:
            return ABSENT
        except _LOST as error:
            raise _silent(error) from error
        return Held(found.data or b"", found.seq or 0)

    async def put(
        self, key: str, value: bytes, revision: int, ttl_s: int | None = None
    ) -> int | None:
        """Replace a key that is still at `revision`.

        Raises:
            BusError: the bus does not answer, or is full.
        """
        headers: dict[str, Any] = {api.Header.EXPECTED_LAST_SUBJECT_SEQUENCE: str(revision)}
        try:
            stored = await self._js.publish(
                LIMITS_PREFIX + key, value, stream=LIMITS, headers=headers, msg_ttl=ttl_s
            )
        except APIError as error:
            if error.err_code in _WRONG_SEQUENCE:
                return None
            raise _silent(error) from error
        except _LOST as error:
            raise _silent(error) from error
        return stored.seq

    async def clock(self) -> float:
        """Seconds since the epoch as the server counts them.

        Raises:
            BusError: the bus does not answer.
        """
        try:
            await self._js.publish(LIMITS_PREFIX + _CLOCK, b"", stream=LIMITS, msg_ttl=60)
            found = await self._js.get_last_msg(LIMITS, LIMITS_PREFIX + _CLOCK)
        except _LOST as error:
            raise _silent(error) from error
        if found.time is None:
            raise BusError("the bus does not say when it stored a key of the model's limits")
        return found.time.timestamp()

    async def drop(self, revision: int) -> None:
        """Remove the message of this revision, if it is still there.

        Raises:
            BusError: the bus does not answer.
        """
        try:
            await self._js.delete_msg(LIMITS, revision)
        except APIError:
            return  # it ran out, or was replaced
        except _LOST as error:
            raise _silent(error) from error

    async def keys(self, prefix: str) -> set[str]:
        """The keys that begin with `prefix` and a dot.

        Raises:
            BusError: the bus does not answer.
        """
        try:
            info = await self._js.stream_info(LIMITS, subjects_filter=f"{LIMITS_PREFIX}{prefix}.>")
        except _LOST as error:
            raise _silent(error) from error
        return {subject.removeprefix(LIMITS_PREFIX) for subject in info.state.subjects or {}}


def _silent(error: Exception) -> BusError:
    said = str(error) or type(error).__name__
    return BusError(f"the bus does not answer about the model's limits ({said})")
