"""What an agent sees of a language model: a question within the budget, an answer or none.

Everything else (reserving, recording, trying again, replays) is done by the caller behind the
port; what reaches a server is done by a provider behind the caller.
"""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.llm import Agent, Block, LlmOutcome, LlmReply, LlmRequest, Purpose
from ragsolver_runtime.errors import PermanentError

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class NoModelError(PermanentError):
    """The run asks for a model where none can be asked."""


@dataclass(frozen=True)
class Prompt:
    """A rendered prompt file."""

    prompt_id: str
    """Name and version of the file, for example `generator.sketch/1`."""
    prompt_hash: str
    """Hex SHA-256 of the file."""
    system: tuple[Block, ...]
    user: tuple[Block, ...]


@dataclass(frozen=True)
class Question(Generic[AnswerT]):
    """What an agent asks."""

    agent: Agent
    purpose: Purpose
    prompt: Prompt
    answer: type[AnswerT]
    """The answer satisfies this class; its JSON Schema goes with the request."""


@dataclass(frozen=True)
class Answer(Generic[AnswerT]):
    """A valid answer, stored as `llm_called` before it is given."""

    value: AnswerT
    call: int
    """Its number within the problem."""


@dataclass(frozen=True)
class NoAnswer:
    """Nothing came of it: a normal outcome."""

    outcome: LlmOutcome | None
    """How the last try ended; none: no call is left in the budget."""
    message: str
    text: str = ""
    """What the model said, where it is no valid answer."""


class LlmPort(Protocol):
    """Asks a language model for an agent."""

    async def ask(
        self, case: Case, trigger: AnyEvent, question: Question[AnswerT]
    ) -> Answer[AnswerT] | NoAnswer:
        """The answer, from as many tries as it takes and the budget allows.

        A delivery that comes again gets the answer that is stored.

        Raises:
            NoModelError: this process can ask no model.
            NoRecordedAnswerError: a replay may not call and nothing is recorded.
        """

    async def grant(self, case: Case, trigger: AnyEvent, child_id: str, calls: int) -> int:
        """Take up to `calls` of the problem's budget for a child problem; how many were left.

        The same child is granted once: asked again, the answer is the same.
        """

    async def settle(self, case: Case, trigger: AnyEvent) -> int:
        """Close the account of a child problem before its end is told to its parent.

        Takes what is left, so that nobody can call for it any more; returns how many calls it
        and its own children used, which is what `hole_closed` says.
        """


class NoModel:
    """The port of a process that has no model."""

    async def ask(
        self, case: Case, trigger: AnyEvent, question: Question[AnswerT]
    ) -> Answer[AnswerT] | NoAnswer:
        """Refuses.

        Raises:
            NoModelError: always.
        """
        raise NoModelError(
            f"{trigger.entity}: the {question.agent} is to ask {case.config.llm.model}, but this "
            "process has no model"
        )

    async def grant(self, case: Case, trigger: AnyEvent, child_id: str, calls: int) -> int:
        """Refuses.

        Raises:
            NoModelError: always.
        """
        raise NoModelError(f"{trigger.entity}: no calls for {child_id}: this process has no model")

    async def settle(self, case: Case, trigger: AnyEvent) -> int:
        """Refuses.

        Raises:
            NoModelError: always.
        """
        raise NoModelError(f"{trigger.entity}: no account: this process has no model")


class Provider(Protocol):
    """Whoever answers one request: a server, a script, an echo. Counts and repeats nothing."""

    async def ask(self, request: LlmRequest, call: "CallId") -> LlmReply:
        """What came of one try; raises for nothing but cancellation."""


@dataclass(frozen=True)
class CallId:
    """Which call of which problem a try is."""

    run_id: str
    problem_id: str
    call: int
    agent: Agent
    purpose: Purpose
    turn: int
    """How many calls of this agent and purpose the problem has made with this one, from 1."""
