import pytest
from pydantic import ValidationError

from ragsolver_contracts.evaluation import Contaminated, ContaminationCheck, Evaluation
from ragsolver_contracts.events_run import RunStarted
from ragsolver_contracts.run_config import RunConfig


def test_a_run_says_which_evaluation_it_is_part_of() -> None:
    part = Evaluation(evaluation_id="e1", repetition=2, baseline="full")
    started = RunStarted(config=RunConfig(), config_digest="0", evaluation=part)
    again = RunStarted.model_validate_json(started.model_dump_json())
    assert again.evaluation == part
    assert RunStarted(config=RunConfig(), config_digest="0").evaluation is None


def test_why_a_problem_is_contaminated_is_one_of_three() -> None:
    found = Contaminated(name="p", corpus="core", document="Nat.x", why="statement")
    assert ContaminationCheck(found=(found,)).threshold == 0.9
    with pytest.raises(ValidationError):
        Contaminated(name="p", corpus="core", document="Nat.x", why="rumour")
