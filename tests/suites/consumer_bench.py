"""A consumer of one role on a fake bus, for the consume path's unit tests."""

from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import (
    ProblemSubmitted,
    RunStarted,
    WorkFailed,
)
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.consume import Consumer
from ragsolver_runtime.notices import CancelNotices
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.settle import ConsumeSettings
from ragsolver_runtime.testing import scripted_worker
from ragsolver_runtime.worker import WorkerContext
from suites.fake_bus import FakeClient

STARTED = event(RunStarted(config=RunConfig(), config_digest="d"), problem_id=RUN_SCOPE)
TRIGGER = event(ProblemSubmitted(problem=problem()))
CALL = LlmReserved(call=1, agent="echo", purpose="test")


class Delivery:
    """A delivery that remembers how it was settled."""

    def __init__(self, trigger=TRIGGER, number=1, body=None):
        self.body = trigger.to_json() if body is None else body
        self.subject = subject_of(trigger)
        self.number = number
        self.sequence = 2
        self.settled = []

    async def ack(self):
        self.settled.append("ack")

    async def nak(self, delay_s):
        self.settled.append(("nak", delay_s))

    async def term(self):
        self.settled.append("term")

    async def in_progress(self):
        pass


class Bench:
    """A consumer on a fake bus that holds a started run and one trigger."""

    def __init__(self, decide, **limits):
        self.client = FakeClient()
        self.lost = []
        self.notices = CancelNotices(self.client)
        spec = scripted_worker(decide, emits=(LlmReserved,), **limits)
        context = WorkerContext("echo", "one", {}, self.notices.cancelled)

        async def decide_case(case, trigger):
            return await decide(context, case, trigger)

        self.publisher = Publisher(self.client)
        self.consumer = Consumer(
            spec,
            context,
            decide_case,
            publisher=self.publisher,
            reader=EventReader(self.client),
            blobs=BlobStore(self.client.js),
            on_lost=lambda: self.lost.append(True),
            settings=ConsumeSettings(first_delay_s=1.0, longest_delay_s=60.0),
        )

    async def handle(self, delivery):
        for item in (STARTED, TRIGGER):
            if self.client.js.last(subject_of(item)) == 0:
                await self.publisher.publish(item)
        await self.consumer.handle(delivery)
        return delivery.settled

    async def events(self):
        return await EventReader(self.client).read_problem("r1", "add_zero_nat")

    async def failure(self):
        (failed,) = [e.data for e in await self.events() if isinstance(e.data, WorkFailed)]
        return failed


async def one_call(context, case, trigger):
    return [CALL]


def failing(error):
    async def decide(context, case, trigger):
        raise error

    return decide
