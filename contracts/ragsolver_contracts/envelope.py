"""The envelope of every event: CloudEvents 1.0 in JSON.

Source: CloudEvents specification 1.0.2, JSON event format; `correlationid` and `causationid` are
the correlation extension, `dataref` the dataref extension, `traceparent` distributed tracing;
`recordedfrom` is our own, for replays.
CloudEvents' `subject` attribute is called `entity` here: *subject* always means NATS' own.
"""

from collections.abc import Sequence
from typing import ClassVar, Generic, Literal, TypeVar

from pydantic import AwareDatetime, Field

from ragsolver_contracts.base import Model


class Payload(Model):
    """The `data` of an event: a fact in the past tense."""

    NAME: ClassVar[str]
    VERSION: ClassVar[int] = 1

    def decides(self) -> Sequence[str | int]:
        """What this event decides, beside its run, problem and name: its identity."""
        raise NotImplementedError

    @classmethod
    def event_type(cls) -> str:
        """CloudEvents `type`, with the version in the name."""
        return f"ragsolver.{cls.NAME}.v{cls.VERSION}"


TypeT = TypeVar("TypeT", bound=str)
DataT = TypeVar("DataT", bound=Payload)


class Envelope(Model, Generic[TypeT, DataT]):
    """A CloudEvents 1.0 event in structured mode."""

    specversion: Literal["1.0"] = "1.0"
    id: str = Field(pattern=r"^[0-9a-f]{32}$")
    source: str = Field(pattern=r"^[a-z_]+/[A-Za-z0-9._-]+$")
    """`<role>/<instance>`: who emitted it; never part of the id."""
    type: TypeT
    entity: str = Field(alias="subject", pattern=r"^[^/]+/.+$")
    """`<run id>/<problem id>`."""
    time: AwareDatetime
    datacontenttype: Literal["application/json"] = "application/json"
    dataschema: str
    correlationid: str
    """The run."""
    causationid: str | None = None
    """Id of the event that caused this one; none for what a person started."""
    traceparent: str | None = None
    """OpenTelemetry context: observability only, never logic."""
    dataref: str | None = None
    """Object-store reference of a payload that was too large for the stream."""
    recordedfrom: str | None = None
    """`<run id>/<event id>` of the recorded event whose answer this one uses again."""
    data: DataT

    @property
    def name(self) -> str:
        """Event name without prefix and version, for example `verdict_issued`."""
        return self.data.NAME

    @property
    def run_id(self) -> str:
        """The run this event belongs to."""
        return self.correlationid

    @property
    def problem_id(self) -> str:
        """The problem, or `_run` for events of the whole run."""
        return self.entity.split("/", 1)[1]

    @property
    def role(self) -> str:
        """Role of the worker that emitted it."""
        return self.source.split("/", 1)[0]

    def to_json(self) -> bytes:
        """The event as one line of JSON."""
        return self.model_dump_json(by_alias=True, exclude_none=True).encode()
