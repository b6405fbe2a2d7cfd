"""Processes that ask a language model over one stream, for tests of what they do when it fails."""

import asyncio
import json
from collections.abc import Callable, Sequence

from pydantic import BaseModel

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent, parse_event
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.llm import Block, LlmOutcome, LlmReply, LlmRequest, Usage
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.run_config import Budget, RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.llm.asked import asked
from ragsolver_runtime.llm.backoff import Backoff
from ragsolver_runtime.llm.caller import Caller
from ragsolver_runtime.llm.ledger import Ledger
from ragsolver_runtime.llm.model import Model
from ragsolver_runtime.llm.port import CallId, Prompt, Question
from ragsolver_runtime.publish import Publisher, PublishSettings
from ragsolver_runtime.read import EventReader, ReadSettings
from ragsolver_runtime.testing import until
from suites.fake_bus import FakeClient

RUN, PROBLEM = "r1", "add_zero_nat"
GOOD = json.dumps({"word": "yes"})


class Word(BaseModel):
    """An answer."""

    word: str


def question(text: str = "Say a word.", agent: str = "planner", purpose: str = "plan") -> Question:
    """What an agent asks."""
    prompt = Prompt(f"{agent}.{purpose}/1", "0" * 64, (), (Block(text=text),))
    return Question(agent, purpose, prompt, Word)  # type: ignore[arg-type]


def reply(
    outcome: LlmOutcome | str = LlmOutcome.ANSWERED, text: str = GOOD, **fields: object
) -> LlmReply:
    """What a server says."""
    outcome = LlmOutcome(outcome)
    said = text if outcome is LlmOutcome.ANSWERED else ""
    usage = Usage(input_tokens=7, output_tokens=3)
    return LlmReply(outcome=outcome, **{"text": said, "usage": usage, **fields})  # type: ignore[arg-type]


class Server:
    """A provider with a list of replies, the last one for ever; counts what it was asked."""

    def __init__(self, *replies: LlmReply) -> None:
        self.replies = replies or (reply(),)
        self.asked: list[tuple[LlmRequest, CallId]] = []
        self.gate: asyncio.Event | None = None
        """Where set, an answer waits for it."""

    async def ask(self, request: LlmRequest, call: CallId) -> LlmReply:
        self.asked.append((request, call))
        number = len(self.asked)
        if self.gate is not None:
            await self.gate.wait()
        return self.replies[min(number, len(self.replies)) - 1]


def submitted(parent: Parent | None = None) -> AnyEvent:
    """The event that makes a question necessary."""
    return event(ProblemSubmitted(problem=problem(PROBLEM, parent=parent)))


class World:
    """One stream and any number of processes on it."""

    def __init__(self, cap: int = 20, parent: Parent | None = None) -> None:
        self.client = FakeClient()
        self.config = RunConfig(budget=Budget(llm_calls=cap))
        self.trigger = submitted(parent)
        self.waits: list[float] = []

    def caller(self, server: Server, name: str = "one", **fields: object) -> Caller:
        """A process."""

        async def _open() -> Model:
            backoff = Backoff(tries=4, first_delay_s=0.001, longest_delay_s=0.01)
            return Model(server, backoff)

        secrets = fields.pop("secrets", ())
        given = {"open_model": _open, "patience_s": 2.0, **fields}
        ledger = Ledger(
            Publisher(self.client, PublishSettings(pause_s=0.0)),  # type: ignore[arg-type]
            EventReader(self.client, ReadSettings(budget_s=5.0)),  # type: ignore[arg-type]
            f"planner/{name}",
            secrets,  # type: ignore[arg-type]
        )
        return Caller(ledger, **given)  # type: ignore[arg-type]

    @property
    def case(self) -> Case:
        """The problem as it stands."""
        return Case.fold(RUN, PROBLEM, [self.trigger, *self.events], self.config)

    @property
    def events(self) -> list[AnyEvent]:
        """Everything that is stored."""
        return [parse_event(message.data) for message in self.client.js.messages]

    @property
    def calls(self) -> list[LlmCalled]:
        """Exchanges in the order of the stream."""
        return [e.data for e in self.events if isinstance(e.data, LlmCalled)]

    @property
    def reserved(self) -> list[LlmReserved]:
        """Reservations in the order of the stream."""
        return [e.data for e in self.events if isinstance(e.data, LlmReserved)]

    @property
    def outcomes(self) -> Sequence[str]:
        """How the calls ended."""
        return [call.outcome.value for call in self.calls]


async def killed(world: World, server: Server, when: Callable[[], bool]) -> None:
    """A process that asks and is gone, without a word, as soon as `when` holds."""
    dying = world.caller(server, "dead")
    task = asyncio.create_task(dying.ask(world.case, world.trigger, question()))
    await until(when, every_s=0.0)

    async def _silent(*_: object, **__: object) -> None:
        raise OSError("dead")

    dying.ledger.publisher.publish = _silent  # type: ignore[method-assign]
    task.cancel()
    await asyncio.wait([task])


def call_events(cause: AnyEvent, name: str, run_id: str = RUN) -> list[AnyEvent]:
    """One answered and one lost call of a problem, as they are stored."""
    what = asked(RunConfig().llm, cause, question(agent="generator", purpose="sketch"))
    lost = LlmReply(outcome=LlmOutcome.LOST)
    calls = [what.called(1, 0, lost, 0.0), what.called(2, 1, reply(), 0.25)]
    payloads = [
        payload
        for call in calls
        for payload in (
            LlmReserved(call=call.call, agent="generator", purpose="sketch"),
            call,
        )
    ]
    return [
        event(payload, run_id=run_id, problem_id=name, role="generator", cause=cause)
        for payload in payloads
    ]
