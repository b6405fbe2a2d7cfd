"""Claim check: payloads too large for the stream live in the object store, by digest.

A reference is `sha256:<hex digest>:<size in bytes>`, so the content proves itself on every read
and the same payload is stored once.
"""

import asyncio
import hashlib
import re

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import ObjectNotFoundError

from ragsolver_runtime.errors import BlobError
from ragsolver_runtime.streams import BLOBS

_REFERENCE = re.compile(r"sha256:(?P<digest>[0-9a-f]{64}):(?P<size>[0-9]+)")
_READ_TIMEOUT_S = 20.0


def reference_of(content: bytes) -> str:
    """The reference under which `content` is stored."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}:{len(content)}"


class BlobStore:
    """Large payloads in the bus's object store."""

    def __init__(self, js: JetStreamContext, bucket: str = BLOBS) -> None:
        self._js = js
        self._bucket = bucket

    async def put(self, content: bytes) -> str:
        """Store `content` unless it is there already; returns its reference."""
        reference = reference_of(content)
        name = reference.split(":")[1]
        store = await self._js.object_store(self._bucket)
        try:
            await store.get_info(name)
        except ObjectNotFoundError:
            await store.put(name, content)
        return reference

    async def get(self, reference: str) -> bytes:
        """The content of a reference, with its digest and size checked.

        Raises:
            BlobError: no such reference, nothing stored there, or other content than promised.
            TimeoutError: the bus did not answer in time; trying again may help.
        """
        match = _REFERENCE.fullmatch(reference)
        if match is None:
            raise BlobError(f"not a payload reference: {reference!r}")
        async with asyncio.timeout(_READ_TIMEOUT_S):
            try:
                store = await self._js.object_store(self._bucket)
                content = bytes((await store.get(match["digest"])).data or b"")
            except ObjectNotFoundError as error:
                raise BlobError(f"payload {reference} is not in bucket {self._bucket}") from error
            except NatsError as error:
                if "Digest" in type(error).__name__:
                    raise BlobError(f"payload {reference} has other content") from error
                raise
        if reference_of(content) != reference:
            raise BlobError(f"payload {reference} has other content: {reference_of(content)}")
        return content
