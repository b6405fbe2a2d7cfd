"""Everything that somebody on a bus could try, as subjects, and what the server says to it."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nats.aio.client import Client

from ragsolver_contracts.events import PAYLOADS
from ragsolver_runtime.access.refusals import covered
from ragsolver_runtime.access.table import Access
from ragsolver_runtime.connect import settle
from ragsolver_runtime.streams import StreamSettings, stream_table

STREAMS = tuple(str(stream.name) for stream in stream_table(StreamSettings()))
JUNK = b'{"probe"'
"""Every request of the server refuses it as its content: nothing is changed, whoever asks."""


@dataclass(frozen=True)
class Probe:
    """One thing that is tried, on one or more subjects.

    Attributes:
        name: the row of the table.
        subjects: what is tried.
        listens: whether by a subscription; else by a publish.
        answered: whether the server answers whoever may.
    """

    name: str
    subjects: tuple[str, ...]
    listens: bool = False
    answered: bool = False


def probes(table: dict[str, Access]) -> list[Probe]:
    """What is tried as each role."""
    durables = [pair for access in table.values() for pair in access.durables]
    found = [Probe(f"say `{name}`", (f"rs.v1.{name}.probe.p.",)) for name in sorted(PAYLOADS)]
    found += [
        Probe("post an input", ("rs.submit",)),
        Probe("ask for a check", ("rs.check",)),
        Probe("tell that a problem needs no more work", ("rs.cancel.probe.p",)),
        Probe("tell an input's answer", ("rs.answer.probe",)),
        Probe("record an answer for replays", ("rs.recorded.probe.p.verdict.k",)),
        Probe("store large payloads", ("$O.RS_BLOBS.C.probe", "$O.RS_BLOBS.M.probe")),
        Probe("take a turn of a model's limits", ("$KV.RS_LIMITS.probe",)),
        Probe("forge an advisory", ("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.RS_EVENTS.x",)),
        Probe("speak for the server", ("$SYS.REQ.SERVER.PING", "$SYS.REQ.USER.INFO")),
        Probe("answer into the common inbox", ("_INBOX.probe",)),
    ]
    found += [Probe(f"answer into {role}'s inbox", (f"_INBOX_{role}.probe",)) for role in table]
    for stream, durable in durables:
        at = f"{stream}.{durable}"
        asked = (f"$JS.API.CONSUMER.MSG.NEXT.{at}", f"$JS.API.CONSUMER.INFO.{at}")
        found.append(Probe(f"pull from `{durable}`", asked[:1]))
        found.append(Probe(f"see the state of `{durable}`", asked[1:], answered=True))
        found.append(Probe(f"settle deliveries of `{durable}`", (f"$JS.ACK.{at}.1.1.1.1.1",)))
    for stream in STREAMS:
        found.append(Probe(f"read `{stream}`", (f"$JS.API.DIRECT.GET.{stream}",), answered=True))
        found.append(
            Probe(f"read `{stream}` from its leader", (f"$JS.API.STREAM.MSG.GET.{stream}",))
        )
        found.append(Probe(f"see the settings of `{stream}`", (f"$JS.API.STREAM.INFO.{stream}",)))
        found.append(Probe(f"see all consumers of `{stream}`", (_api("CONSUMER.LIST", stream),)))
        found.append(
            Probe(f"delete a message of `{stream}`", (_api("STREAM.MSG.DELETE", stream),))
        )
    found += _changes(durables)
    found += _listening(table)
    return found


def _api(verb: str, what: str) -> str:
    return f"$JS.API.{verb}.{what}"


def _changes(durables: Sequence[tuple[str, str]]) -> list[Probe]:
    verbs = ("CREATE", "UPDATE", "DELETE", "PURGE", "SNAPSHOT", "RESTORE", "PEER.REMOVE")
    steps = [_api("STREAM.LEADER.STEPDOWN", stream) for stream in STREAMS]
    on_streams = [_api(f"STREAM.{verb}", stream) for verb in verbs for stream in STREAMS]
    makes = [
        subject
        for stream in STREAMS
        for subject in (
            _api("CONSUMER.CREATE", stream),
            _api("CONSUMER.CREATE", f"{stream}.probe"),
            _api("CONSUMER.CREATE", f"{stream}.probe.rs.v1.>").replace(">", "x"),
            _api("CONSUMER.DURABLE.CREATE", f"{stream}.probe"),
        )
    ]
    ends = [
        _api(f"CONSUMER.{verb}", f"{stream}.{durable}")
        for verb in ("DELETE", "PAUSE", "LEADER.STEPDOWN")
        for stream, durable in durables
    ]
    names = ("$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST", "$JS.API.INFO")
    return [
        Probe("make, change, empty, delete or copy a stream", (*on_streams, *steps)),
        Probe("make a consumer", tuple(makes)),
        Probe("delete, pause or move a consumer", tuple(ends)),
        Probe("list streams", names),
    ]


def _listening(table: dict[str, Access]) -> list[Probe]:
    found = [
        Probe("hear everything", (">",), listens=True),
        Probe("hear the common inbox", ("_INBOX.>",), listens=True),
        Probe("hear events", ("rs.v1.>",), listens=True),
        Probe("hear inputs", ("rs.submit",), listens=True),
        Probe("hear the answers to inputs", ("rs.answer.*",), listens=True),
        Probe("hear requests for checks", ("rs.check",), listens=True),
        Probe("hear that a problem needs no more work", ("rs.cancel.>",), listens=True),
        Probe("hear requests to the server", ("$JS.API.>", "$JS.ACK.>"), listens=True),
        Probe("hear advisories and the server", ("$JS.EVENT.>", "$SYS.>"), listens=True),
        Probe("hear payloads and limits", ("$O.>", "$KV.>"), listens=True),
    ]
    found += [Probe(f"hear {role}'s inbox", (f"_INBOX_{role}.>",), listens=True) for role in table]
    return found


@dataclass(frozen=True)
class Tried:
    """What came of all probes as one role, by subject: refused, and answered."""

    refused: frozenset[tuple[str, str]]
    answered: frozenset[str]


async def try_all(
    client: Client, role: str, tried: Iterable[Probe], refused: set[tuple[str, str]]
) -> Tried:
    """Try everything as one role; the server's word on each subject.

    Args:
        client: connected as the role.
        role: its name.
        tried: what is tried.
        refused: filled by the connection with verb and subject of what the server refuses.
    """
    answered: set[str] = set()
    inbox = f"_INBOX_{role}.probes"
    asked: dict[str, str] = {}

    async def _hear(message: object) -> None:
        answered.add(asked[message.subject])  # type: ignore[attr-defined]

    await client.subscribe(f"{inbox}.*", cb=_hear)
    for number, (probe, subject) in enumerate((p, s) for p in tried for s in p.subjects):
        if probe.listens:
            subscription = await client.subscribe(subject)
            await subscription.unsubscribe()
            continue
        full = f"{subject}{role}" if subject.endswith(".") else subject
        reply = f"{inbox}.{number}"
        asked[reply] = subject
        await client.publish(full, JUNK, reply=reply if subject.startswith("$JS.API") else "")
    await settle(client)  # the server has refused by now whatever it refuses
    while await _grows(answered):
        continue
    return Tried(frozenset(refused), frozenset(answered))


async def _grows(answered: set[str]) -> bool:
    before = len(answered)
    await asyncio.sleep(0.15)
    return len(answered) > before


def allowed_by(access: Access, probe: Probe, subject: str) -> bool:
    """What the declared table says."""
    granted = access.subscribe_allowed if probe.listens else access.publish_allowed
    return covered(subject + ("x" if subject.endswith(".") else ""), granted)


def cell(outcomes: Sequence[bool]) -> str:
    """`yes`, `no`, or how many of them."""
    if all(outcomes):
        return "yes"
    return "some" if any(outcomes) else "·"
