"""The view of a statement's negation."""

from ragsolver_contracts.lean import Binder, StatementView


def negation(view: StatementView) -> StatementView:
    """The closed statement `¬ ∀ binders, target`, as the verifier states it."""
    closed = f"∀ {' '.join(map(_bracketed, view.binders))}, {view.target}"
    target = f"¬({closed if view.binders else view.target})"
    return StatementView(
        type=target,
        level_params=view.level_params,
        target=target,
        target_head="Not",
        constants=view.constants,
        numerals=view.numerals,
    )


def _bracketed(binder: Binder) -> str:
    return f"({binder.name} : {binder.type})"
