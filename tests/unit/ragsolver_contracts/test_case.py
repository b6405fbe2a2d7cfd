import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import (
    ProblemCancelled,
    ProblemSubmitted,
    RunStarted,
    WorkFailed,
)
from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
)
from ragsolver_contracts.events_work import (
    CandidateProposed,
    EvidenceRetrieved,
    ProblemPlanned,
    VerdictIssued,
)
from ragsolver_contracts.lean import LeanToolchain, StatementView
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest, RetrievalResult
from ragsolver_contracts.run_config import Budget, RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_contracts.verdict import Verdict

TOOLCHAIN = LeanToolchain(kind="embedded", lean_version="4.28.0-pre")


def fold(*payloads: Payload) -> Case:
    return Case.fold("r1", "add_zero_nat", [event(payload) for payload in payloads])


def candidate(number: int, *, batch: int = 0, last: bool = False) -> CandidateProposed:
    return CandidateProposed(
        attempt=1,
        candidate=number,
        batch=batch,
        closes_batch=last,
        closes_attempt=last,
        text={"proof": "rfl"},
        strategy="rfl",
    )


def verdict(number: int, status: str = "rejected") -> VerdictIssued:
    reason = None if status == "accepted" else "elaboration_error"
    return VerdictIssued(
        attempt=1,
        candidate=number,
        verdict=Verdict(status=status, reason=reason, statement_digest="d", toolchain=TOOLCHAIN),
    )


def test_an_empty_history_is_an_open_case() -> None:
    case = fold()
    assert (case.problem, case.outcome, case.plan_number, case.attempt_number) == (
        None,
        None,
        0,
        0,
    )


def test_configuration_comes_from_the_start_of_the_run() -> None:
    config = RunConfig(budget=Budget(llm_calls=3))
    start = event(RunStarted(config=config, config_digest="d"), problem_id="_run")
    case = Case.fold("r1", "add_zero_nat", [start, event(ProblemSubmitted(problem=problem()))])
    assert case.config.budget.llm_calls == 3
    assert case.problem == problem()


def test_events_of_another_problem_are_refused() -> None:
    with pytest.raises(ValueError, match="r1/other"):
        Case.fold("r1", "p", [event(ProblemSubmitted(problem=problem()), problem_id="other")])


def test_numbers_are_ordered_as_numbers() -> None:
    case = fold(*(candidate(n) for n in (10, 2, 0)))
    assert [c.candidate for c in case.attempt_candidates(1)] == [0, 2, 10]


def test_attempt_is_complete_only_when_all_are_there_and_judged() -> None:
    failed = WorkFailed(
        failed_role="verifier",
        trigger_id="t",
        trigger_type="x",
        stage="check",
        error="CheckerDied",
        message="killed",
        attempt=1,
        candidate=1,
    )
    assert not fold(candidate(0), verdict(0)).attempt_complete(1)
    assert not fold(candidate(1, last=True), verdict(1)).attempt_complete(1)
    both = (candidate(0), candidate(1, last=True), verdict(0))
    assert not fold(*both).attempt_complete(1)
    assert fold(*both, verdict(1)).attempt_complete(1)
    assert fold(*both, failed).attempt_complete(1)


def test_plan_is_retrieved_when_every_subgoal_is() -> None:
    subgoals = tuple(
        Subgoal(subgoal_id=name, statement_nl="x", search_queries=("q",)) for name in ("s1", "s2")
    )
    request = RetrievalRequest(queries=("q",), context=RetrievalContext(problem_id="add_zero_nat"))
    one, two = (
        EvidenceRetrieved(plan=1, subgoal_id=name, request=request, result=RetrievalResult())
        for name in ("s1", "s2")
    )
    plan = ProblemPlanned(plan=1, subgoals=subgoals)
    assert not fold(plan, one).plan_retrieved(1)
    assert fold(plan, one, two).plan_retrieved(1)
    assert not fold(one, two).plan_retrieved(1)


def test_accepted_is_the_first_accepted_verdict() -> None:
    case = fold(verdict(2, "accepted"), verdict(1, "accepted"), verdict(0))
    assert case.accepted is not None
    assert case.accepted.candidate == 1


def test_cancelled_is_an_outcome() -> None:
    assert fold(ProblemCancelled(requested_by="me")).outcome is Outcome.CANCELLED


def test_calls_are_counted_once_each() -> None:
    reserved = [LlmReserved(call=n, agent="critic", purpose="p") for n in (1, 2, 2)]
    assert fold(*reserved).llm_calls == 2


def test_batches_are_read_off_the_fold() -> None:
    case = fold(candidate(0), candidate(1, batch=1), candidate(2, batch=1))
    assert [c.candidate for c in case.batch(1, 1)] == [1, 2]
    assert case.judged((1, 0)) is False


VIEW = StatementView(type="True", target="True")
WORDS = StatementChecked(statable=False, reason="needs_llm")


def written(number: int, *, statable: bool = True) -> tuple[Payload, Payload]:
    text = StatementProposed(
        statement=number, formal_statement=f"theorem w{number} : True", declaration=f"w{number}"
    )
    view, reason = (VIEW, None) if statable else (None, "statement_error")
    checked = StatementChecked(statement=number, statable=statable, view=view, reason=reason)
    return text, checked


def test_words_have_no_statement_until_a_machine_written_one_is_judged_faithful() -> None:
    asked = ProblemSubmitted(problem=problem())
    unjudged = fold(asked, WORDS, *written(1))
    assert unjudged.statement == WORDS
    assert unjudged.stated == problem()
    doubted = StatementJudged(statement=1, faithful=False, reason="weaker")
    assert fold(asked, WORDS, *written(1), doubted).statement == WORDS
    broken = StatementJudged(statement=1, faithful=True, reason="same")
    assert fold(asked, WORDS, *written(1, statable=False), broken).statement == WORDS
    faithful = StatementJudged(statement=2, faithful=True, reason="same")
    settled = fold(asked, WORDS, *written(1), doubted, *written(2), faithful)
    assert settled.statement is not None
    assert settled.statement.statement == 2
    assert settled.stated is not None
    assert (settled.stated.declaration, settled.stated.name) == ("w2", problem().name)
