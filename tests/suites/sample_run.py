"""Events of a small run: one problem of every fate, as the portfolio path would emit them."""

from datetime import timedelta
from typing import Any

from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import (
    ProblemCancelled,
    ProblemRefused,
    ProblemSubmitted,
    RunFinished,
    RunStarted,
)
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemPlanned,
    ProblemSolved,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.ids import digest, refused_input_id
from ragsolver_contracts.lean import LeanToolchain, StatementView
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.problem import InputSource, RefusalReason
from ragsolver_contracts.report import (
    AttemptRecord,
    CitedEvidence,
    Outcome,
    Proof,
    SolutionReport,
)
from ragsolver_contracts.retrieval import (
    Citation,
    RetrievalContext,
    RetrievalRequest,
    RetrievalResult,
)
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.testing import EPOCH, event, problem
from ragsolver_contracts.verdict import Verdict, VerdictReason, VerdictStatus

RUN = "r1"
ADVISORY = "lean4-14576-nested-inductive-parameters"
TOOLCHAIN = LeanToolchain(
    kind="embedded", lean_version="4.28.0-pre", advisories=(ADVISORY, "lean4-0-unknown-here")
)
VERSIONS = {"ragsolver": "0.1.0", "lean": "4.28.0-pre"}
SOURCE = "theorem add_zero_nat (n : Nat) : n + 0 = n := by simp [Nat.add_zero]"


class RunWriter:
    """Writes events one second apart, each caused by the one before it in its problem."""

    def __init__(self, run_id: str = RUN) -> None:
        self.run_id = run_id
        self.events: list[AnyEvent] = []
        self._last: dict[str, AnyEvent] = {}

    def add(self, problem_id: str, role: str, payload: Payload, *, cause: bool = True) -> AnyEvent:
        made = event(
            payload,
            run_id=self.run_id,
            problem_id=problem_id,
            role=role,
            seconds=float(len(self.events)),
            cause=self._last.get(problem_id) if cause else None,
        )
        self.events.append(made)
        self._last[problem_id] = made
        return made

    def start(self, count: int | None) -> None:
        config = RunConfig()
        self.add(
            "_run",
            "cli",
            RunStarted(
                config=config,
                config_digest=digest(config.model_dump_json()),
                versions=VERSIONS,
                problem_count=count,
            ),
        )

    def submit(self, name: str, line: int, **changes: Any) -> None:
        asked = problem(name, source=InputSource(file="demo.jsonl", line=line), **changes)
        self.add(name, "intake", ProblemSubmitted(problem=asked))

    def attempt(self, name: str, attempt: int, *verdicts: Verdict) -> None:
        """Sketch, candidates and verdicts of one attempt of one batch."""
        self.add(
            name,
            "generator",
            ProofSketched(
                attempt=attempt,
                plan=1,
                text="closing tactics",
                stage="closing",
                used_citations=("M1",),
                offered_citations=("M1", "M2"),
            ),
        )
        last = len(verdicts) - 1
        for number in range(len(verdicts)):
            self.add(
                name,
                "formalizer",
                CandidateProposed(
                    attempt=attempt,
                    candidate=number,
                    batch=0,
                    closes_batch=number == last,
                    closes_attempt=number == last,
                    text=CandidateText(proof="by simp [Nat.add_zero]"),
                    strategy="simp",
                ),
            )
        for number, verdict in enumerate(verdicts):
            payload = VerdictIssued(attempt=attempt, candidate=number, verdict=verdict)
            self.add(name, "verifier", payload)

    def plan_and_retrieve(self, name: str) -> None:
        statement = StatementChecked(
            statable=True,
            statement_digest=digest(name),
            view=StatementView(type="∀ n, n + 0 = n", target="n + 0 = n"),
            toolchain=TOOLCHAIN,
        )
        self.add(name, "verifier", statement)
        subgoal = Subgoal(subgoal_id="s1", statement_nl="n + 0 = n", search_queries=("add zero",))
        self.add(name, "planner", ProblemPlanned(plan=1, subgoals=(subgoal,)))
        request = RetrievalRequest(queries=("add zero",), context=_context(name))
        result = RetrievalResult(citations=[citation(name, 1), citation(name, 2)])
        retrieved = EvidenceRetrieved(plan=1, subgoal_id="s1", request=request, result=result)
        self.add(name, "retriever", retrieved)

    def critique(self, name: str, attempt: int, route: Route) -> None:
        payload = AttemptCritiqued(
            attempt=attempt, error_class=ErrorClass.UNSOLVED_GOALS, route=route
        )
        self.add(name, "critic", payload)


def _context(name: str) -> RetrievalContext:
    return RetrievalContext(problem_id=name, subgoal_id="s1", agent="planner", run_id=RUN)


def citation(name: str, number: int) -> Citation:
    label = ("Nat.add_zero", "Nat.zero_add")[number - 1]
    return Citation(
        citation_id=f"M{number}",
        chunk_id=f"core:{label}:0",
        corpus="mathlib",
        unit_type="mathlib_decl",
        label=label,
        locator={"decl_name": label, "module_path": "Init.Core"},
        retrieved_for=_context(name),
    )


def accepted(name: str = "add_zero_nat") -> Verdict:
    return Verdict(
        status=VerdictStatus.ACCEPTED,
        statement_digest=digest(name),
        constants=("Nat.add_zero",),
        source=SOURCE,
        toolchain=TOOLCHAIN,
        elapsed_ms=40.0,
    )


def rejected(name: str = "add_zero_nat") -> Verdict:
    return Verdict(
        status=VerdictStatus.REJECTED,
        reason=VerdictReason.ELABORATION_ERROR,
        detail="unsolved goals",
        statement_digest=digest(name),
        toolchain=TOOLCHAIN,
        elapsed_ms=10.0,
    )


def solution(name: str, outcome: Outcome, message: str, attempts: int) -> SolutionReport:
    solved = outcome is Outcome.SOLVED
    proof = Proof(
        source=SOURCE,
        declaration=name,
        strategy="simp",
        attempt=attempts,
        candidate=1,
        constants=("Nat.add_zero",),
        named_in_proof=("rfl",),
        statement_digest=digest(name),
        toolchain=TOOLCHAIN,
    )
    cited = CitedEvidence(
        used_in_proof=(citation(name, 1),) if solved else (), consulted=(citation(name, 2),)
    )
    records = tuple(
        AttemptRecord(
            attempt=n,
            stage="closing",
            candidates=2,
            judged=2,
            outcome="accepted" if solved and n == attempts else "unsolved_goals",
            lean_ms=50.0,
        )
        for n in range(1, attempts + 1)
    )
    return SolutionReport(
        problem_id=name,
        outcome=outcome,
        message=message,
        proof=proof if solved else None,
        citations=cited,
        attempts=records,
        candidates=2 * attempts,
        retrieved=4,
        lean_ms=50.0 * attempts,
        submitted_at=EPOCH,
        ended_at=EPOCH + timedelta(seconds=9),
    )


def write_solved(run: RunWriter, name: str, line: int) -> None:
    run.submit(name, line)
    run.plan_and_retrieve(name)
    run.attempt(name, 1, rejected(name), accepted(name))
    report = solution(name, Outcome.SOLVED, "Proved by simp.", 1)
    run.add(name, "critic", ProblemSolved(report=report))


def write_not_proved(run: RunWriter, name: str, line: int) -> None:
    run.submit(name, line)
    run.plan_and_retrieve(name)
    run.attempt(name, 1, rejected(name), rejected(name))
    run.critique(name, 1, Route.EXHAUSTED)
    report = solution(name, Outcome.NOT_PROVED, "The portfolio is exhausted.", 1)
    failed = ProblemFailed(outcome=Outcome.NOT_PROVED, message=report.message, report=report)
    run.add(name, "critic", failed)


def write_refused(run: RunWriter, name: str, line: int) -> None:
    run.submit(name, line)
    checked = StatementChecked(statable=False, reason=RefusalReason.NEEDS_MATHLIB, detail="ℝ")
    run.add(name, "verifier", checked)
    refused = ProblemRefused(
        name=name,
        reason=RefusalReason.NEEDS_MATHLIB,
        message="Needs Mathlib: unknown identifier ℝ.",
        line=line,
        input_digest=digest(name),
    )
    run.add(name, "critic", refused)


def write_refused_input(run: RunWriter, line: int) -> str:
    input_digest = digest(str(line))
    refused = ProblemRefused(
        reason=RefusalReason.BAD_JSON,
        message="Line is not JSON.",
        line=line,
        input_digest=input_digest,
    )
    run.add(refused_input_id(input_digest), "intake", refused)
    return refused_input_id(input_digest)


def sample_run(*, finished: bool = True) -> list[AnyEvent]:
    """A run of five inputs: solved, not proved, refused, refused input, cancelled."""
    run = RunWriter()
    run.start(5)
    write_solved(run, "add_zero_nat", 1)
    write_not_proved(run, "hard", 2)
    write_refused(run, "real_sum", 3)
    write_refused_input(run, 4)
    run.submit("dropped", 5)
    if finished:
        run.add("dropped", "cli", ProblemCancelled(requested_by="anna", reason="too slow"))
        outcomes = {"solved": 1, "not_proved": 1, "refused": 2, "cancelled": 1}
        run.add("_run", "cli", RunFinished(outcomes=outcomes, refused_inputs=1, elapsed_s=9.0))
    return run.events
