from ragsolver_contracts.events_run import ProblemRefused, RunStarted, WorkFailed
from ragsolver_contracts.run_config import RunConfig


def test_each_refused_input_is_its_own_fact() -> None:
    one = ProblemRefused(reason="bad_json", message="m", input_digest="a")
    assert one.decides() == ("a",)
    assert one.decides() != one.model_copy(update={"input_digest": "b"}).decides()


def test_a_failed_candidate_is_told_from_a_failed_delivery() -> None:
    delivery = WorkFailed(
        failed_role="verifier", trigger_id="t", trigger_type="x", error="E", message="m"
    )
    candidate = delivery.model_copy(update={"attempt": 1, "candidate": 0})
    assert delivery.decides() != candidate.decides()
    assert delivery.decides() == delivery.model_copy(update={"deliveries": 4}).decides()


def test_a_run_starts_once() -> None:
    assert RunStarted(config=RunConfig(), config_digest="d").decides() == ()
