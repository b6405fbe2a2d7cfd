"""The view of a statement's negation."""

from ragsolver_contracts.lean import Binder, Expression, StatementView


def negation(view: StatementView) -> StatementView:
    """The closed statement `¬ ∀ binders, target`, as the verifier states it."""
    closed = f"∀ {' '.join(map(_bracketed, view.binders))}, {view.target}"
    target = f"¬({closed if view.binders else view.target})"
    return StatementView(
        type=target,
        level_params=view.level_params,
        target=target,
        expression=_closed(view),
        target_head="Not",
        constants=view.constants,
        numerals=view.numerals,
    )


def _bracketed(binder: Binder) -> str:
    return f"({binder.name} : {binder.type})"


def _closed(view: StatementView) -> Expression | None:
    """The negation as a term; none where the view has no term of a part."""
    body = view.expression
    for binder in reversed(view.binders):
        if body is None or binder.expression is None:
            return None
        kind = "implies" if binder.is_prop else "forall"
        parts = (binder.expression, body)
        body = Expression.model_validate({"kind": kind, "name": binder.name, "args": parts})
    return None if body is None else Expression(kind="constant", name="Not", args=(body,))
