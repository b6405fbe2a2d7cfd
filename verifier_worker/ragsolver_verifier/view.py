"""The checker's views of statements and goals, as the contract has them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ragsolver_contracts.lean import Binder, HoleView, StatementView
from ragsolver_verifier.errors import ProtocolError
from ragsolver_verifier.evidence import Evidence
from ragsolver_verifier.expression import read_expression, shown

MOST_HOLES: Final = 16
"""Holes told at most: a proof with more is no sketch."""

_BINDERS: Final = {"strict": "strict_implicit"}


def read_view(
    view: Mapping[str, Any], *, type_: str = "", levels: Sequence[str] = ()
) -> StatementView:
    """The view of a statement or of a goal.

    Args:
        view: as `Checker/View.lean` writes it.
        type_: the whole type, pretty-printed; of a goal its target.
        levels: universe parameters.

    Raises:
        ProtocolError: it is not what the checker program answers.
    """
    try:
        return StatementView(
            type=type_ or view["target"],
            level_params=tuple(levels),
            binders=tuple(_binder(item) for item in view["binders"]),
            target=view["target"],
            expression=read_expression(view["tree"]),
            target_head=view["head"] or "",
            constants=tuple(sorted(view["constants"])),
            own_constants=tuple(sorted(view.get("own", ()))),
            numerals=tuple(sorted(view["numerals"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ProtocolError(f"the checker's view cannot be read: {error}") from error


def hole_views(evidence: Evidence) -> tuple[HoleView, ...]:
    """Every `sorry` of the proof's own text, in order."""
    return tuple(
        HoleView(start=hole.pos, end=hole.end_pos, is_term=hole.term, view=read_view(hole.view))
        for hole in evidence.sorries[:MOST_HOLES]
        if hole.view and hole.pos and hole.end_pos and hole.part == "proof"
    )


def _binder(item: Mapping[str, Any]) -> Binder:
    return Binder(
        name=shown(item["name"]),
        type=item["type"],
        expression=read_expression(item["tree"]),
        binder=_BINDERS.get(item["info"], item["info"]),
        is_prop=item["is_prop"],
    )
