"""Numbers for Prometheus: what one process did, under labels that no problem can multiply.

Labels are roles, event names, outcomes and the like, all from closed lists; names of models come
from configurations that anybody may post, so only so many get a series of their own. Verdicts,
retrievals, problems and calls of models are read off the events that are stored, so that no
worker counts anything itself; what a replay repeats is not counted.
"""

import platform
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import PAYLOADS, AnyEvent
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_run import ProblemCancelled
from ragsolver_contracts.events_work import (
    EvidenceRetrieved,
    ProblemFailed,
    ProblemSolved,
    VerdictIssued,
)
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.telemetry.watching import (
    INPUT_TRIGGER,
    Handled,
    Numbers,
    Publication,
    Published,
)

OTHER = "other"
MODELS = 20
"""Names of models with series of their own; the rest are `other`."""

_SECONDS = (0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900)
_EVENTS = (5, 10, 20, 50, 100, 200, 500, 1000, 5000)


class Bounded:
    """The first so many different values of a label; `other` for the rest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[str] = set()

    def label(self, value: str) -> str:
        """The value, or `other`."""
        if value not in self._known:
            if len(self._known) >= self._most:
                return OTHER
            self._known.add(value)
        return value


class Counted(Numbers):
    """Counts in a registry of its own."""

    def __init__(self, role: str) -> None:
        self.registry = CollectorRegistry()
        self._role = role
        self._models = Bounded(MODELS)
        self._of_bus()
        self._of_work()
        about = Info("ragsolver_build", "Version of the program.", registry=self.registry)
        about.info({"version": version("ragsolver"), "python": platform.python_version()})

    def _of_bus(self) -> None:
        self._in_work = self._gauge("in_flight", "Deliveries in work now.", ["role"])
        self._deliveries = self._counter(
            "deliveries", "Deliveries that were settled.", ["role", "trigger", "outcome"]
        )
        self._handling = self._histogram(
            "handling_seconds", "From taking a delivery to settling it.", ["role", "trigger"]
        )
        self._published = self._counter(
            "published_events", "Events that were published.", ["role", "type", "outcome"]
        )
        self._retries = self._counter(
            "publish_retries", "Publishes that were tried once more.", ["role", "type"]
        )
        self._fold = self._histogram(
            "fold_events", "Events of a problem when it was folded.", ["role"], _EVENTS
        )
        self._pending = self._gauge(
            "consumer_pending", "Messages that wait for a consumer.", ["durable"]
        )
        self._unacknowledged = self._gauge(
            "consumer_ack_pending", "Messages delivered and not settled yet.", ["durable"]
        )
        self._alarms = self._counter("bus_alarms", "What befell the connection.", ["role", "kind"])
        self._restarts = self._gauge(
            "worker_restarts", "How often processes were started again.", ["role"]
        )

    def _of_work(self) -> None:
        self._problems = self._counter("problems", "Problems that ended.", ["outcome"])
        self._verdicts = self._counter(
            "verdicts", "Candidates judged by Lean.", ["status", "reason", "tier"]
        )
        self._checking = self._histogram("check_seconds", "Lean checks.", ["status"])
        self._retrieving = self._histogram("retrieval_seconds", "Retrievals.", ["mode"])
        self._calls = self._counter("llm_calls", "Calls of models.", ["model", "outcome"])
        self._answering = self._histogram("llm_seconds", "Calls of models.", ["model"])
        self._tokens = self._counter("llm_tokens", "Tokens of models.", ["model", "kind"])
        self._cost = self._counter("llm_cost_usd", "Cost of models in US dollars.", ["model"])

    def _counter(self, name: str, told: str, labels: list[str]) -> Counter:
        return Counter(f"ragsolver_{name}", told, labels, registry=self.registry)

    def _gauge(self, name: str, told: str, labels: list[str]) -> Gauge:
        return Gauge(f"ragsolver_{name}", told, labels, registry=self.registry)

    def _histogram(
        self, name: str, told: str, labels: list[str], buckets: tuple[float, ...] = _SECONDS
    ) -> Histogram:
        return Histogram(
            f"ragsolver_{name}", told, labels, registry=self.registry, buckets=buckets
        )

    def begun(self) -> None:
        """A delivery is in work."""
        self._in_work.labels(self._role).inc()

    def handled(self, trigger: str, outcome: Handled, seconds: float) -> None:
        """A delivery in work was settled."""
        trigger = trigger if trigger in PAYLOADS or trigger == INPUT_TRIGGER else OTHER
        self._in_work.labels(self._role).dec()
        self._deliveries.labels(self._role, trigger, outcome.value).inc()
        self._handling.labels(self._role, trigger).observe(seconds)

    def folded(self, events: int) -> None:
        """A problem of so many events was read."""
        self._fold.labels(self._role).observe(events)

    def lag(self, durable: str, pending: int, unacknowledged: int) -> None:
        """What waits in a durable consumer, over all replicas."""
        self._pending.labels(durable).set(pending)
        self._unacknowledged.labels(durable).set(unacknowledged)

    def alarm(self, kind: str) -> None:
        """Something happened to the connection."""
        self._alarms.labels(self._role, kind).inc()

    def restarts(self, role: str, number: int) -> None:
        """A role's processes were started again so often."""
        self._restarts.labels(role).set(number)

    def published(self, publication: Publication) -> None:
        """An event is stored, or is not; what it says is counted once it is."""
        event, outcome = publication.event, publication.outcome
        self._published.labels(self._role, event.name, outcome.value).inc()
        if publication.tries > 1:
            self._retries.labels(self._role, event.name).inc(publication.tries - 1)
        if outcome is Published.STORED and event.recordedfrom is None:
            self._said(event)

    def _said(self, event: AnyEvent) -> None:
        said: Payload = event.data
        if isinstance(said, VerdictIssued):
            verdict = said.verdict
            reason = verdict.reason.value if verdict.reason is not None else ""
            self._verdicts.labels(verdict.status.value, reason, verdict.tier).inc()
            self._checking.labels(verdict.status.value).observe(verdict.elapsed_ms / 1000)
        elif isinstance(said, EvidenceRetrieved):
            seconds = said.result.trace.latency_ms / 1000
            self._retrieving.labels(said.request.mode).observe(seconds)
        elif isinstance(said, LlmCalled):
            self._called(said)
        elif isinstance(said, ProblemSolved):
            self._problems.labels(Outcome.SOLVED.value).inc()
        elif isinstance(said, ProblemFailed):
            self._problems.labels(said.outcome.value).inc()
        elif isinstance(said, ProblemCancelled):
            self._problems.labels(Outcome.CANCELLED.value).inc()

    def _called(self, said: LlmCalled) -> None:
        model = self._models.label(said.model)
        self._calls.labels(model, said.outcome.value).inc()
        if said.outcome is LlmOutcome.LOST:
            return  # nobody knows what it took
        self._answering.labels(model).observe(said.latency_ms / 1000)
        self._cost.labels(model).inc(said.cost_usd)
        for kind in ("input", "output", "cache_read", "cache_write"):
            self._tokens.labels(model, kind).inc(getattr(said, f"{kind}_tokens"))
