"""The planner as a worker."""

from ragsolver_agents.engines import opener
from ragsolver_agents.planner.decide import decide
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import AttemptCritiqued, ProblemPlanned
from ragsolver_runtime.worker import WorkerSpec


def wants(trigger: AnyEvent) -> bool:
    """Statable statements, and critiques that ask for another plan."""
    match trigger.data:
        case StatementChecked(statable=statable):
            return statable
        case AttemptCritiqued(route=route):
            return route is Route.REPLAN
        case _:
            return False


WORKER = WorkerSpec(
    role="planner",
    triggers=(StatementChecked, AttemptCritiqued),
    emits=(ProblemPlanned,),
    open=opener(decide),
    wants=wants,
    concurrency=4,
)
