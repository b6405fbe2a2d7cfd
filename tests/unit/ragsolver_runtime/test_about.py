from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.testing import problem
from ragsolver_runtime.about import About, other_problem, payload_of

CALL = LlmReserved(call=1, agent="critic", purpose="test")


def test_a_payload_is_of_the_problem_that_was_delivered_unless_it_says_otherwise():
    assert other_problem(CALL) is None
    assert other_problem(About("other", CALL)) == "other"
    assert payload_of(About("other", CALL)) == payload_of(CALL) == CALL


def test_a_submission_is_of_the_problem_that_it_submits():
    assert other_problem(ProblemSubmitted(problem=problem("child"))) == "child"
