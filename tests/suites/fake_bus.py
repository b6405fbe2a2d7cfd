"""An in-memory stand-in for one stream and the client calls that the runtime makes.

It keeps the server's rules that our code relies on (expected last sequence, last message per
subject, paging, object store). That the real server has those rules is what
`tests/integration/nats` proves.
"""

import asyncio
import json
from types import SimpleNamespace

from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.errors import APIError, BadRequestError, NotFoundError


def matches(pattern: str, subject: str) -> bool:
    """NATS subject matching."""
    want, have = pattern.split("."), subject.split(".")
    for place, token in enumerate(want):
        if token == ">":
            return len(have) > place
        if place >= len(have) or token not in ("*", have[place]):
            return False
    return len(want) == len(have)


class FakeJetStream:
    """One stream; `faults` are raised by the next publishes, `after` says if they stored."""

    def __init__(self):
        self.messages = []
        self.blobs = []
        self.faults = []
        self.publishes = 0
        self.infos = 0

    def last(self, pattern):
        return max((m.seq for m in self.messages if matches(pattern, m.subject)), default=0)

    async def publish(self, subject, payload=b"", headers=None, **_):
        if subject.startswith("$O."):
            self.blobs.append(
                SimpleNamespace(subject=subject, data=payload, seq=len(self.blobs) + 1)
            )
            return None
        self.publishes += 1
        headers = headers or {}
        fault, stored = self.faults.pop(0) if self.faults else (None, True)
        if fault is not None and not stored:
            raise fault
        expected = headers.get("Nats-Expected-Last-Subject-Sequence")
        guard = headers.get("Nats-Expected-Last-Subject-Sequence-Subject", subject)
        if expected is not None and self.last(guard) != int(expected):
            said = f"wrong last sequence: {self.last(guard)}"
            raise BadRequestError(code=400, err_code=10071, description=said)
        sequence = len(self.messages) + 1
        message = SimpleNamespace(
            subject=subject, data=bytes(payload), seq=sequence, headers=dict(headers)
        )
        self.messages.append(message)
        if fault is not None:
            raise fault
        return SimpleNamespace(seq=sequence, duplicate=None, stream="RS_EVENTS")

    async def stream_info(self, name, subjects_filter=None):
        """As the leader says, which has everything."""
        self.infos += 1
        found = {m.subject: 1 for m in self.messages if matches(subjects_filter, m.subject)}
        return SimpleNamespace(state=SimpleNamespace(subjects=found or None))

    async def get_msg(self, stream, seq=None, subject=None, direct=False, **more):
        if stream.startswith("OBJ_"):
            stored = [m for m in self.blobs if m.subject == subject and m.seq >= (seq or 0)]
            if stored:
                return stored[0 if more.get("next") else -1]
            raise NotFoundError(code=404, description="no message found")
        for message in reversed(self.messages):
            if message.subject == subject or message.seq == seq:
                return message
        raise NotFoundError(code=404, description="no message found")


class FakeSubscription:
    """Messages of one subject, for `next_msg` or a callback."""

    def __init__(self, client, subject, callback):
        self.client, self.subject, self.callback = client, subject, callback
        self.queue = asyncio.Queue()

    async def next_msg(self, **_):
        try:
            return await asyncio.wait_for(self.queue.get(), 0.05)
        except TimeoutError as error:
            raise NatsTimeoutError from error

    async def unsubscribe(self):
        self.client.subscriptions.remove(self)


class FakeClient:
    """The client: core publish and subscribe, and direct get answered from the stream."""

    def __init__(self):
        self.js = FakeJetStream()
        self.subscriptions = []
        self.published = []
        self.is_closed = False
        self.limit = 1024
        self.silent = 0
        self.behind = [0]
        """Messages that the replicas that answer next do not have yet; the last stays."""
        self.inboxes = 0

    def jetstream(self, timeout=None):
        return self.js

    def new_inbox(self):
        self.inboxes += 1
        return f"_INBOX.{self.inboxes}"

    async def subscribe(self, subject, queue="", cb=None):
        subscription = FakeSubscription(self, subject, cb)
        self.subscriptions.append(subscription)
        return subscription

    async def publish(self, subject, payload=b"", reply="", headers=None):
        if subject.startswith("$JS.API.DIRECT.GET"):
            await self._direct_get(json.loads(payload), reply)
            return
        self.published.append((subject, payload))
        await self.deliver(subject, payload, headers, reply)

    async def deliver(self, subject, payload=b"", headers=None, reply=""):
        message = SimpleNamespace(subject=subject, data=payload, headers=headers, reply=reply)
        for subscription in list(self.subscriptions):
            if matches(subscription.subject, subject):
                if subscription.callback:
                    await subscription.callback(message)
                else:
                    subscription.queue.put_nowait(message)

    async def _direct_get(self, query, reply):
        if self.silent:
            self.silent -= 1
            return
        behind = self.behind.pop(0) if len(self.behind) > 1 else self.behind[0]
        stored = self.js.messages[: len(self.js.messages) - behind]
        if "multi_last" in query:
            (pattern,) = query["multi_last"]
            found = [m for m in stored if matches(pattern, m.subject)]
            if len(found) > self.limit:
                await self.deliver(reply, headers={"Status": "413"})
                return
            rest = 0
        else:
            found = [m for m in stored if matches(query["next_by_subj"], m.subject)]
            found = [m for m in found if m.seq >= query["seq"]]
            rest = max(len(found) - query["batch"], 0)
            found = found[: query["batch"]]
        if not found:
            await self.deliver(reply, headers={"Status": "404"})
            return
        for m in found:
            place = {"Nats-Sequence": str(m.seq), "Nats-Subject": m.subject}
            await self.deliver(reply, m.data, {**m.headers, **place})
        end = {
            "Status": "204",
            "Nats-Num-Pending": str(rest),
            "Nats-UpTo-Sequence": str(len(stored)),
        }
        await self.deliver(reply, headers=end)


def api_error(code: int, description: str) -> APIError:
    """An error of the server."""
    return APIError(code=503, err_code=code, description=description)
