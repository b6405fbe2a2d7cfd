"""The checker's terms as the contract's expressions."""

import json
from collections.abc import Mapping
from typing import Any, Final

from ragsolver_contracts.lean import Expression
from ragsolver_verifier.errors import ProtocolError

DEEPEST: Final = 120
LARGEST: Final = 4_000
"""Deeper terms, and those of more parts, are not told: what walks over a term may recurse."""

_BINDERS: Final = {"forall": "forall", "imp": "implies", "fun": "fun"}
Tree = Mapping[str, Any]


def read_expression(tree: object) -> Expression | None:
    """The expression of a term as `Checker/Term.lean` writes it; none for one that is too large.

    Raises:
        ProtocolError: it is not what the checker program answers.
    """
    if _too_large(tree):
        return None
    try:
        return _read(tree)
    except (KeyError, TypeError, ValueError) as error:
        shown = json.dumps(tree, ensure_ascii=False)[:200]
        raise ProtocolError(f"the checker's term cannot be read: {shown}") from error


def _too_large(tree: object) -> bool:
    count, todo = 0, [(tree, 0)]
    while todo:
        item, depth = todo.pop()
        count += 1
        if depth > DEEPEST or count > LARGEST:
            return True
        if isinstance(item, dict):
            parts = [*item.get("a", ()), *(item[key] for key in ("t", "e", "f") if key in item)]
            todo += [(part, depth + 1) for part in parts if isinstance(part, dict)]
    return False


def _read(tree: object) -> Expression:
    if not isinstance(tree, dict):
        raise TypeError("a term is an object")
    if "n" in tree:
        return Expression(kind="numeral", value=tree["n"], sort=tree.get("t") or "Nat")
    if "s" in tree:
        return Expression(kind="string", text=tree["s"])
    if "sort" in tree:
        return Expression(kind="sort", text=tree["sort"])
    if "b" in tree:
        return _binder(tree)
    if "v" in tree or "c" in tree:
        return _application(tree)
    return Expression(kind="other", text=_text(tree), args=_args(tree))


def _binder(tree: Tree) -> Expression:
    if tree["b"] == "let":  # its body has the value in the variable's place
        return _read(tree["e"])
    kind = _BINDERS[tree["b"]]
    parts = _read(tree["t"]), _read(tree["e"])
    return Expression.model_validate({"kind": kind, "name": shown(tree["x"]), "args": parts})


def _application(tree: Tree) -> Expression:
    return Expression(
        kind="variable" if "v" in tree else "constant",
        name=shown(tree["v"]) if "v" in tree else tree["c"],
        sort=tree.get("t") or "",
        args=_args(tree),
    )


def _args(tree: Tree) -> tuple[Expression, ...]:
    return tuple(_read(item) for item in tree.get("a", ()))


def shown(name: str) -> str:
    """A name without the marks of a macro's own variables; such a one cannot be written."""
    stem, hygienic, _ = name.partition("._@")
    return f"{stem}✝" if hygienic else stem


def _text(tree: Tree) -> str:
    if "pp" in tree:
        return str(tree["pp"])
    return f"projection {tree['i']} of {tree['proj']}" if "proj" in tree else ""
