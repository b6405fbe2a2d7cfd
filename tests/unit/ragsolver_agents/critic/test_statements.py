"""Machine-written statements are judged, written anew, or given up with the reasons."""

from ragsolver_agents.critic.answers import FidelityAnswer
from ragsolver_agents.critic.decide import decide
from ragsolver_agents.critic.statement_notes import NOT_JUDGED
from ragsolver_agents.critic.statements import is_final, judgement_of
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
)
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Engines, LlmConfig, RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.llm.port import Answer, NoAnswer
from suites.deciding_world import checked, view

ENGINES = Engines(planner="llm", generator="llm", formalizer="llm", critic="llm")
CONFIG = RunConfig(engines=ENGINES, llm=LlmConfig(statements=2))
WORDS = ProblemSubmitted(problem=problem(formal_statement=None, declaration=None))
NO_WORDS = StatementChecked(statable=False, reason=RefusalReason.NEEDS_LLM)
YES = Answer(FidelityAnswer(faithful=True, reason="It says the same."), call=2)
NO = Answer(FidelityAnswer(faithful=False, reason="n may be 0.", issues=("0 < n",)), call=2)


def written(number: int = 1) -> StatementProposed:
    return StatementProposed(statement=number, formal_statement="theorem t : x")


def stated(number: int = 1) -> StatementChecked:
    return checked(view("n < 7", ("n", "Nat"))).model_copy(update={"statement": number})


def broken(number: int) -> StatementChecked:
    reason = RefusalReason.STATEMENT_ERROR
    return StatementChecked(statement=number, statable=False, reason=reason, detail="unknown x")


def decided(*payloads, said=None, config=CONFIG):
    events = [event(payload) for payload in (WORDS, NO_WORDS, *payloads)]
    case = Case.fold("r1", "add_zero_nat", events, config)
    return decide(case, events[-1], said)


def test_words_alone_wait_for_a_statement_where_a_model_writes_one():
    assert decided(NO_WORDS) == []


def test_words_alone_are_refused_without_one():
    (refused,) = decided(NO_WORDS, config=RunConfig())
    assert refused.reason is RefusalReason.NEEDS_LLM


def test_a_faithful_statement_is_worked_on():
    (judged,) = decided(written(), stated(), said=YES)
    assert judged == StatementJudged(statement=1, faithful=True, reason="It says the same.")
    events = map(event, (WORDS, NO_WORDS, written(), stated(), judged))
    assert Case.fold("r1", "add_zero_nat", events, CONFIG).statement == stated()


def test_an_unfaithful_one_is_written_anew():
    (judged,) = decided(written(), stated(), said=NO)
    assert not judged.faithful
    assert judged.issues == ("0 < n",)


def test_the_last_unfaithful_one_ends_the_problem_with_the_reasons():
    (judged,) = decided(written(), written(2), stated(2), said=NO)
    (failed,) = decided(written(), written(2), stated(2), judged)
    assert failed.outcome is Outcome.NOT_PROVED
    assert failed.message == (
        "The statement is suspect: none of 2 that a model wrote says what the words say. "
        "Of the last one: n may be 0. (0 < n)"
    )
    assert failed.report.machine_written_statement


def test_a_judgement_that_ends_nothing_is_the_formalizers():
    (judged,) = decided(written(), stated(), said=NO)
    assert decided(written(), stated(), judged) == []
    assert decided(written(), judged, stated()) == []


def test_one_that_does_not_elaborate_is_written_anew_and_given_up_in_the_end():
    assert decided(written(), broken(1)) == []
    (failed,) = decided(written(), written(2), broken(2))
    assert failed.outcome is Outcome.NOT_PROVED
    assert failed.message.startswith("The statement is suspect: none of 2 ")
    assert failed.message.endswith("unknown x")


def test_a_critic_without_a_model_says_that_nobody_judged():
    config = RunConfig(engines=ENGINES.model_copy(update={"critic": "portfolio"}))
    (judged,) = decided(written(), stated(), config=config)
    assert (judged.faithful, judged.reason) == (True, NOT_JUDGED)


def called(outcome: LlmOutcome | None) -> NoAnswer:
    return NoAnswer(outcome, "so it went")


def test_what_could_not_be_judged_is_not_worked_on():
    (judged,) = decided(written(), stated(), said=called(LlmOutcome.REFUSED))
    assert not judged.faithful
    assert judged.reason == "It could not be judged: so it went"


def test_without_a_call_for_it_the_problem_is_not_proved():
    (ended,) = decided(written(), stated(), said=called(None))
    (failed,) = decided(written(), stated(), ended)
    assert failed.outcome is Outcome.NOT_PROVED
    assert failed.message == "The statement that a model wrote was not judged: so it went"


def test_where_nobody_answers_it_is_a_failure_of_infrastructure():
    (ended,) = decided(written(), stated(), said=called(LlmOutcome.UNAUTHORIZED))
    (failed,) = decided(written(), stated(), ended)
    assert failed.outcome is Outcome.INFRASTRUCTURE
    assert "ANTHROPIC_API_KEY" in failed.message


def test_what_is_final_and_what_was_judged():
    judged = StatementJudged(statement=2, faithful=True, reason="")
    reserved = LlmReserved(call=1, agent="critic", purpose="fidelity")
    case = Case.fold("r1", "add_zero_nat", map(event, (WORDS, judged, reserved)), CONFIG)
    assert judgement_of(case, 2) == judged
    assert judgement_of(case, 1) is None
    assert is_final(case, called(None))
    assert not is_final(case, called(LlmOutcome.INVALID))
