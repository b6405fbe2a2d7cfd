"""A problem whose sketch has holes, from its skeleton to its assembled proofs, without a bus."""

from ragsolver_agents.critic.decide import decide as critic_rules
from ragsolver_agents.critic.family import with_children
from ragsolver_agents.formalizer.model import decide as formalizer
from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import CandidateProposed, ProofSketched, VerdictIssued
from ragsolver_contracts.lean import HoleView, Position
from ragsolver_contracts.plan import Hole
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Budget, Engines, LlmConfig, RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_contracts.verdict import VerdictReason
from suites.deciding_world import checked, rejected, view
from suites.makers_world import PLANNED

ENGINES = Engines(planner="llm", generator="llm", formalizer="llm", critic="llm")
CONFIG = RunConfig(
    name="llm",
    engines=ENGINES,
    llm=LlmConfig(portfolio_first=False),
    budget=Budget(llm_calls=12),
)
GOAL = view("n < 7 ∧ n < 8", ("n", "Nat"), ("h", "n < 5"))
PROOF = "by\n  have h1 : n < 7 := sorry\n  have h2 : n < 8 := by sorry\n  exact ⟨h1, h2⟩"
NAMES = ("h1", "h2")


class Bank:
    """Grants as the ledger does; asks nobody."""

    def __init__(self, left=100):
        self.left = left
        self.granted = {}

    async def ask(self, case, trigger, question):
        raise AssertionError("nobody is asked here")

    async def grant(self, case, trigger, child_id, calls):
        if child_id not in self.granted:
            self.granted[child_id] = min(calls, self.left)
            self.left -= self.granted[child_id]
        return self.granted[child_id]

    async def settle(self, case, trigger):
        raise AssertionError("the runtime closes accounts")


async def rules(case, trigger, _):
    """The critic without a model."""
    return critic_rules(case, trigger)


CRITIC = with_children(rules)


def hole(line, start, end, target, *binders, term=True):
    """A hole on one line."""
    return HoleView(
        start=Position(line=line, column=start),
        end=Position(line=line, column=end),
        is_term=term,
        view=view(target, *binders),
    )


HOLES = (
    hole(2, 21, 26, "n < 7", ("n", "Nat"), ("h", "n < 5")),
    hole(3, 24, 29, "n < 8", ("n", "Nat"), ("h", "n < 5"), ("h1", "n < 7"), term=False),
)


def sketch(names=NAMES, proof=PROOF, attempt=1):
    """A model's sketch with holes."""
    holes = tuple(Hole(hole_id=n, subgoal_id="s1", statement=f"step {n}") for n in names)
    return ProofSketched(
        attempt=attempt, plan=1, text="split", holes=holes, proof=proof, engine="llm"
    )


def skeleton(proof=PROOF, attempt=1):
    """The sketch as a candidate."""
    return CandidateProposed(
        attempt=attempt,
        candidate=0,
        batch=0,
        closes_batch=True,
        closes_attempt=False,
        text=CandidateText(proof=proof),
        strategy="llm/skeleton",
        skeleton=True,
        engine="llm",
    )


def verdict(holes=HOLES, *errors):
    """Lean's word on a skeleton."""
    found = rejected(*errors, reason=VerdictReason.CONTAINS_SORRY)
    return VerdictIssued(
        attempt=1, candidate=0, verdict=found.model_copy(update={"holes": tuple(holes)})
    )


def closed(name, outcome=Outcome.SOLVED, proof="by omega", preamble="", calls=0, **said):
    """The end of a child."""
    text = CandidateText(proof=proof, preamble=preamble) if outcome is Outcome.SOLVED else None
    return HoleClosed(
        attempt=1,
        hole_id=name,
        child_id=f"add_zero_nat.a1.{name}",
        outcome=outcome,
        text=text,
        llm_calls=calls,
        **said,
    )


class Told:
    """The events of one problem, one after the other."""

    def __init__(self, *payloads, config=CONFIG, goal=GOAL, **changes):
        self.config, self.port = config, Bank()
        self.events = []
        asked = problem(**changes)
        self.problem_id = asked.problem_id
        self.say(ProblemSubmitted(problem=asked), checked(goal), PLANNED, *payloads)

    def say(self, *payloads):
        """Store payloads; the last one's event."""
        for payload in payloads:
            number = len(self.events)
            self.events.append(event(payload, problem_id=self.problem_id, seconds=number))
        return self.events[-1]

    @property
    def case(self):
        """The fold."""
        return Case.fold("r1", self.problem_id, self.events, self.config)

    async def critic(self, trigger=None):
        """What the critic says of the last event."""
        return list(await CRITIC(self.case, trigger or self.events[-1], self.port))

    async def formalizer(self, trigger=None):
        """What the formalizer says of the last event."""
        return list(await formalizer(self.case, trigger or self.events[-1], self.port))


def split(*more, config=CONFIG, **changes):
    """A problem whose skeleton was judged, and more."""
    return Told(sketch(), skeleton(), verdict(), *more, config=config, **changes)
