"""The planner as a worker."""

from ragsolver_agents.engines import MAX_WORK_S, asking_opener
from ragsolver_agents.planner.model import decide
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_statement import StatementChecked, StatementJudged
from ragsolver_contracts.events_work import AttemptAbandoned, AttemptCritiqued, ProblemPlanned
from ragsolver_runtime.worker import WorkerSpec


def wants(trigger: AnyEvent) -> bool:
    """Statable statements, faithful ones of a machine, critiques that ask for another plan."""
    match trigger.data:
        case StatementChecked(statable=statable, statement=number):
            return statable and number == 0
        case StatementJudged(faithful=faithful):
            return faithful
        case AttemptCritiqued(route=route):
            return route is Route.REPLAN
        case _:
            return False


WORKER = WorkerSpec(
    role="planner",
    triggers=(StatementChecked, StatementJudged, AttemptCritiqued),
    emits=(ProblemPlanned, AttemptAbandoned),
    open=asking_opener(decide),
    wants=wants,
    concurrency=4,
    max_work_s=MAX_WORK_S,
)
