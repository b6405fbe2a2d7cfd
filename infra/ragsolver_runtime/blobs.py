"""Claim check: payloads too large for the stream live in the object store, by digest.

A reference is `sha256:<hex digest>:<size in bytes>`, so the content proves itself on every read
and the same payload is stored once.

What is stored is what any client of NATS's object store reads. It is read by direct gets: the
client library's own way makes a consumer, and whoever may make consumers may have the server send
to any subject. It is written without the library's roll-up headers: whoever may use those may
empty the whole store with one message.
"""

import asyncio
import base64
import hashlib
import json
import re
import secrets
from datetime import UTC, datetime
from typing import Any

from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from ragsolver_runtime.errors import BlobError
from ragsolver_runtime.streams import BLOB_CHUNKS, BLOB_NAMES, BLOB_STREAM, BLOBS

_REFERENCE = re.compile(r"sha256:(?P<digest>[0-9a-f]{64}):(?P<size>[0-9]+)")
_READ_TIMEOUT_S = 20.0
_CHUNK = 128 * 1024
_SUBJECT_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,128}")


def reference_of(content: bytes) -> str:
    """The reference under which `content` is stored."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}:{len(content)}"


class BlobStore:
    """Large payloads in the bus's object store."""

    def __init__(self, js: JetStreamContext) -> None:
        self._js = js

    async def put(self, content: bytes) -> str:
        """Store `content` unless it is there already; returns its reference."""
        reference = reference_of(content)
        name = reference.split(":")[1]
        if await self._about(name) is not None:
            return reference
        place = secrets.token_hex(11)
        chunks = [content[at : at + _CHUNK] for at in range(0, len(content), _CHUNK)]
        for chunk in chunks:
            await self._js.publish(_chunks_of(place), chunk)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
        about = {
            "name": name,
            "bucket": BLOBS,
            "nuid": place,
            "size": len(content),
            "chunks": len(chunks),
            "digest": f"SHA-256={digest}",
            "mtime": datetime.now(UTC).isoformat(),
            "options": {"max_chunk_size": _CHUNK},
        }
        await self._js.publish(_name_of(name), json.dumps(about).encode())
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
            about = await self._about(match["digest"])
            if about is None:
                raise BlobError(f"payload {reference} is not in bucket {BLOBS}")
            content = await self._content(str(about.get("nuid")), int(match["size"]))
        if reference_of(content) != reference:
            raise BlobError(f"payload {reference} has other content: {reference_of(content)}")
        return content

    async def _about(self, name: str) -> dict[str, Any] | None:
        """What is known of an object; none where there is none."""
        try:
            found = await self._js.get_msg(BLOB_STREAM, subject=_name_of(name), direct=True)
            about = json.loads(found.data or b"")
        except (NotFoundError, ValueError):
            return None
        return about if isinstance(about, dict) and not about.get("deleted") else None

    async def _content(self, place: str, size: int) -> bytes:
        """The chunks in one place, up to a size."""
        content = bytearray()
        after = 0
        while len(content) < size and _SUBJECT_TOKEN.fullmatch(place):
            try:
                chunk = await self._js.get_msg(
                    BLOB_STREAM, seq=after + 1, subject=_chunks_of(place), direct=True, next=True
                )
            except NotFoundError:
                break
            content += chunk.data or b""
            after = int(chunk.seq or 0)
        return bytes(content)


def _name_of(name: str) -> str:
    return BLOB_NAMES.replace(">", base64.urlsafe_b64encode(name.encode()).decode())


def _chunks_of(place: str) -> str:
    return BLOB_CHUNKS.replace(">", place)
