"""The declared table: what each role may do on a bus with users.

It is derived from what the workers declare about themselves (`WorkerSpec`: role, triggers,
emits), from the streams and from the subjects, so that there is no second list to forget.
What is not in it is refused by the server.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ragsolver_contracts import subjects
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.events_run import (
    ProblemCancelled,
    ProblemRefused,
    ProblemSubmitted,
    RunFinished,
    RunStarted,
    WorkFailed,
)
from ragsolver_runtime import streams
from ragsolver_runtime.access import api_subjects as api
from ragsolver_runtime.access.credentials import CLIENT, OBSERVER, OPERATOR, inbox_prefix
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.intake import ROLE as INTAKE
from ragsolver_runtime.roles import asks_model, load_role, worker_roles
from ragsolver_runtime.worker import WorkerSpec

_BY_THE_RUNTIME: tuple[type[Payload], ...] = (
    WorkFailed,  # a delivery that can never succeed
    ProblemCancelled,  # a child whose parent has ended; a replay without a recorded answer
    HoleClosed,  # word to the parent of a child that ends so
    LlmReserved,  # closing the account of that child
)
"""What the consume path says in any role's name, beside the worker's own `emits`."""

_OF_INTAKE = (ProblemSubmitted, ProblemRefused, RunStarted, WorkFailed)
_OF_CLIENT = (
    RunStarted,
    RunFinished,
    ProblemSubmitted,
    ProblemRefused,
    ProblemCancelled,
    HoleClosed,
)


@dataclass(frozen=True)
class Access:
    """What one role may do.

    Attributes:
        role: its name, which is also that of its user and of its credentials.
        purpose: for people.
        says: names of the events that it may publish.
        durables: stream and name of the consumers that it works off.
        reads: streams from which it may read any stored message.
        inspects: streams whose settings it may see.
        inspects_consumers: streams of whose consumers it may see settings and state.
        publishes: other subjects that it may publish on.
        subscribes: subjects that it may listen to, beside its own inboxes.
        responds: whether it may answer a request where the request says.
        operates: whether it may use all of the server's JetStream requests.
    """

    role: str
    purpose: str
    says: tuple[str, ...] = ()
    durables: tuple[tuple[str, str], ...] = ()
    reads: tuple[str, ...] = ()
    inspects: tuple[str, ...] = ()
    inspects_consumers: tuple[str, ...] = ()
    publishes: tuple[str, ...] = ()
    subscribes: tuple[str, ...] = ()
    responds: bool = False
    operates: bool = False

    @property
    def publish_allowed(self) -> tuple[str, ...]:
        """Subjects that the server lets it publish on."""
        found = [subjects.events_named(name) for name in self.says]
        for stream, durable in self.durables:
            found += [api.consumer_info(stream, durable), api.next_message(stream, durable)]
            found.append(api.acks(stream, durable))
        for stream in self.reads:
            found += api.direct_get(stream)
        found += [api.stream_info(stream) for stream in self.inspects]
        for stream in self.inspects_consumers:
            found += [api.consumer_list(stream), api.consumer_info(stream, "*")]
        found += self.publishes
        found.append(f"{inbox_prefix(self.role)}.>")
        return tuple(dict.fromkeys(found))

    @property
    def subscribe_allowed(self) -> tuple[str, ...]:
        """Subjects that the server lets it listen to."""
        return (f"{inbox_prefix(self.role)}.>", *self.subscribes)


def access_table(specs: Iterable[WorkerSpec] | None = None) -> dict[str, Access]:
    """What every role may do, by role.

    Args:
        specs: the workers; none for the installed ones.

    Raises:
        MissingExtraError: the package of a worker lacks something that an extra installs.
    """
    if specs is None:
        specs = [load_role(role) for role in worker_roles()]
    rows = [worker_access(spec) for spec in specs]
    rows += [_intake(), _client(), _observer(), _operator()]
    return {row.role: row for row in rows}


def access_of(role: str) -> Access:
    """What one role may do.

    Raises:
        ConfigError: there is no such role.
    """
    fixed = {INTAKE: _intake, CLIENT: _client, OBSERVER: _observer, OPERATOR: _operator}
    if role in fixed:
        return fixed[role]()
    if role not in worker_roles():
        known = ", ".join([*worker_roles(), *fixed])
        raise ConfigError(f"no role {role!r} on a bus: there are {known}")
    return worker_access(load_role(role))


def worker_access(spec: WorkerSpec) -> Access:
    """What a worker may do."""
    asks = asks_model(spec.role)
    own = (*spec.emits, *_BY_THE_RUNTIME, *((LlmCalled,) if asks else ()))
    reads = (streams.EVENTS, streams.RECORDED, streams.BLOB_STREAM)
    return Access(
        role=spec.role,
        purpose="worker",
        says=_names(own),
        durables=tuple(
            (streams.EVENTS, str(durable.durable_name)) for durable in streams.consumers_of(spec)
        ),
        reads=reads,
        inspects=(*reads, *((streams.LIMITS,) if asks else ())),
        publishes=(
            subjects.CANCEL_ALL,
            *streams.BLOB_SUBJECTS,
            *(_LIMITS if asks else ()),
            # Whoever opens problems looks at the backlogs of all the others.
            *((api.consumer_list(streams.EVENTS),) if spec.opens_problems else ()),
        ),
        subscribes=(subjects.CANCEL_ALL, *spec.serves),
        responds=bool(spec.serves),
    )


_LIMITS = (
    f"{streams.LIMITS_PREFIX}>",
    api.message_get(streams.LIMITS),
    api.message_delete(streams.LIMITS),
)


def _intake() -> Access:
    reads = (streams.EVENTS, streams.BLOB_STREAM)
    durables = (
        (streams.INPUT, streams.INTAKE_DURABLE),
        (streams.ADVISORIES, streams.ADVISORY_DURABLE),
    )
    return Access(
        role=INTAKE,
        purpose="takes inputs",
        says=_names(_OF_INTAKE),
        durables=durables,
        reads=reads,
        inspects=(*reads, streams.INPUT, streams.ADVISORIES),
        publishes=(subjects.CANCEL_ALL, subjects.SUBMIT_ANSWERS, *streams.BLOB_SUBJECTS),
        subscribes=(subjects.SUBMIT, subjects.SUBMIT_ANSWERS),
        responds=True,
    )


def _client() -> Access:
    reads = (streams.EVENTS, streams.RECORDED, streams.BLOB_STREAM)
    return Access(
        role=CLIENT,
        purpose="submit, solve, watch, report, cancel, trace, replay, eval",
        says=_names(_OF_CLIENT),
        reads=reads,
        inspects=reads,
        publishes=(
            subjects.SUBMIT,
            subjects.CHECK,
            subjects.CANCEL_ALL,
            subjects.RECORDED_ALL,
            *streams.BLOB_SUBJECTS,
        ),
        subscribes=(subjects.EVENTS_ALL,),
    )


def _observer() -> Access:
    every = tuple(str(stream.name) for stream in streams.stream_table(streams.StreamSettings()))
    return Access(
        role=OBSERVER,
        purpose="watch, report, web page, metrics: reads only",
        reads=(streams.EVENTS, streams.BLOB_STREAM),
        inspects=every,
        inspects_consumers=every,
        publishes=(api.ACCOUNT_INFO, api.STREAM_NAMES, api.STREAM_LIST),
        subscribes=(subjects.EVENTS_ALL,),
    )


def _operator() -> Access:
    client = _client()
    return Access(
        role=OPERATOR,
        purpose="makes streams and consumers, imports traces",
        publishes=(api.EVERYTHING, subjects.EVENTS_ALL, *client.publishes),
        subscribes=(subjects.EVENTS_ALL, subjects.CANCEL_ALL),
        operates=True,
    )


def _names(payloads: Iterable[type[Payload]]) -> tuple[str, ...]:
    return tuple(sorted({payload.NAME for payload in payloads}))
