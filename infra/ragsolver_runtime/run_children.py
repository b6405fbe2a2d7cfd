"""Child problems in the report of a run: below their parents, with their own children."""

from collections.abc import Callable, Iterable, Iterator

from ragsolver_contracts.base import Model
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.run_view import ProblemView


class ChildEntry(Model):
    """One hole of a sketch that was a problem of its own."""

    problem_id: str
    outcome: Outcome | None
    """None: it has not ended."""
    message: str = ""
    llm_calls: int = 0
    """With those of its own children."""
    children: tuple["ChildEntry", ...] = ()


def children_below(views: Iterable[ProblemView]) -> Callable[[str], tuple[ChildEntry, ...]]:
    """What gives the children of a problem.

    Args:
        views: every child of a run.
    """
    known: dict[str, list[ProblemView]] = {}
    for view in sorted(views, key=lambda item: item.problem_id):
        known.setdefault(view.parent, []).append(view)

    def below(parent: str) -> tuple[ChildEntry, ...]:
        return tuple(
            ChildEntry(
                problem_id=view.problem_id,
                outcome=view.outcome,
                message=view.message,
                llm_calls=view.report.llm_calls if view.report is not None else 0,
                children=below(view.problem_id),
            )
            for view in known.get(parent, ())
        )

    return below


def indented(
    children: Iterable[ChildEntry], parent: str, depth: int = 1
) -> Iterator[tuple[str, ChildEntry]]:
    """Every child with its own children after it, each with the name that stands in a table.

    Args:
        children: of one problem.
        parent: its id; the children's names go on from it.
        depth: of the children below the posted problem.
    """
    for child in children:
        name = child.problem_id.removeprefix(f"{parent}.")
        yield f"{'  ' * (depth - 1)}↳ {name}", child
        yield from indented(child.children, child.problem_id, depth + 1)
