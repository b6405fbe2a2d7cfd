"""Views of statements about real numbers, as Lean with Mathlib elaborates them."""

from ragsolver_contracts.lean import Binder, Expression, StatementView
from suites.term_text import expression

REAL = Expression(kind="constant", name="Real")


def _real(item: Expression | None) -> Expression | None:
    """The same expression over the reals."""
    if item is None:
        return None
    args = tuple(part for arg in item.args if (part := _real(arg)) is not None)
    return item.model_copy(update={"sort": "Real", "args": args})


def real_view(target: str, *hypotheses: tuple[str, str]) -> StatementView:
    """A statement about real variables `a` and `b` under hypotheses."""
    variables = [Binder(name=name, type="ℝ", expression=REAL) for name in "ab"]
    given = [
        Binder(name=name, type=text, is_prop=True, expression=_real(expression(text)))
        for name, text in hypotheses
    ]
    return StatementView(
        type=target,
        target=target,
        binders=(*variables, *given),
        expression=_real(expression(target)),
    )


REAL_VIEW = real_view("2 * a * b ≤ a ^ 2 + b ^ 2", ("ha", "0 < a ∧ a ≤ 3"), ("hb", "b ≥ 0"))
