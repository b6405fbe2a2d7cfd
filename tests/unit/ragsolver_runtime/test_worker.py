import pytest

from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_runtime.worker import WorkerContext, WorkerSpec


def open_nothing(context):
    raise AssertionError


def spec(**changes):
    values = {
        "role": "critic",
        "triggers": (ProblemSubmitted,),
        "emits": (),
        "open": lambda _: None,
    }
    return WorkerSpec(**(values | changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"triggers": ()},
        {"concurrency": 0},
        {"max_deliver": 0},
        {"ack_wait_s": 0},
        {"max_work_s": -1},
    ],
)
def test_a_worker_that_could_never_work_is_refused(changes):
    with pytest.raises(ValueError, match="'critic'"):
        spec(**changes)


def test_a_context_signs_with_role_and_instance():
    async def never(run_id, problem_id):
        raise AssertionError

    assert WorkerContext("critic", "host-1", {}, never).source == "critic/host-1"
    assert spec().concurrency == 1
