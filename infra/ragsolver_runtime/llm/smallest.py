"""The smallest instance of a JSON Schema, for answers that need no meaning."""

import re
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

_TEXTS = ("", "x", "h1", "s1", "M1", "1", "a b", "Nat", "2026-01-01")
"""Tried in turn where a text has a pattern."""
_DEEPEST = 32


class NoInstanceError(ValueError):
    """The schema asks for something that this module cannot make up."""


def smallest(schema: Schema) -> Any:
    """A value that satisfies the schema, with as little in it as the schema allows.

    Raises:
        NoInstanceError: the schema uses what is not known here, or has no finite instance.
    """
    return _value(schema, schema, 0)


def _value(schema: Schema, root: Schema, depth: int) -> Any:
    if depth > _DEEPEST:
        raise NoInstanceError("the schema has no finite instance")
    if "$ref" in schema:
        return _value(_referred(str(schema["$ref"]), root), root, depth + 1)
    if "const" in schema:
        return schema["const"]
    if "default" in schema:
        return schema["default"]
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("enum"):
        return schema["enum"][0]
    if schema.get("allOf"):
        return _value(_together(schema, root), root, depth + 1)
    for choice in ("anyOf", "oneOf"):
        if schema.get(choice):
            return _first(schema[choice], root, depth)
    return _typed(schema, root, depth)


def _typed(schema: Schema, root: Schema, depth: int) -> Any:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = kind[0]
    match kind:
        case "object":
            fields = schema.get("properties", {})
            wanted = schema.get("required", [])
            return {name: _value(fields.get(name, {}), root, depth + 1) for name in wanted}
        case "array":
            return _array(schema, root, depth)
        case "string":
            return _text(schema)
        case "integer" | "number":
            return _number(schema, whole=kind == "integer")
        case "boolean":
            return False
        case "null":
            return None
    raise NoInstanceError(f"no instance of type {kind!r}")


def _array(schema: Schema, root: Schema, depth: int) -> list[Any]:
    first = [_value(item, root, depth + 1) for item in schema.get("prefixItems", [])]
    missing = int(schema.get("minItems", 0)) - len(first)
    if missing <= 0:
        return first
    return [*first, *(_value(schema.get("items", {}), root, depth + 1) for _ in range(missing))]


def _text(schema: Schema) -> str:
    least = int(schema.get("minLength", 0))
    pattern = schema.get("pattern")
    for text in _TEXTS:
        filled = text if len(text) >= least or not text else text + text[-1] * (least - len(text))
        if len(filled) >= least and (pattern is None or re.search(pattern, filled)):
            return filled
    if pattern is not None:
        raise NoInstanceError(f"no text for the pattern {pattern!r}: give the field an example")
    return "x" * least


def _number(schema: Schema, *, whole: bool) -> int | float:
    step = 1 if whole else 0.5
    value = schema.get("minimum", 0)
    if "exclusiveMinimum" in schema:
        value = max(value, schema["exclusiveMinimum"] + step)
    most = schema.get("maximum", value)
    if "exclusiveMaximum" in schema:
        most = min(most, schema["exclusiveMaximum"] - step)
    value = min(value, most)
    return int(value) if whole else float(value)


def _first(choices: list[Schema], root: Schema, depth: int) -> Any:
    """Of a choice, the instance of the first alternative that has one; `null` is tried first."""
    said = ""
    for choice in sorted(choices, key=lambda item: item.get("type") != "null"):
        try:
            return _value(choice, root, depth + 1)
        except NoInstanceError as error:
            said = str(error)
    raise NoInstanceError(said or "none of the alternatives has an instance")


def _together(schema: Schema, root: Schema) -> Schema:
    merged: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
    for part in schema["allOf"]:
        merged |= _referred(str(part["$ref"]), root) if "$ref" in part else part
    return merged


def _referred(reference: str, root: Schema) -> Schema:
    found: Any = root
    for step in reference.removeprefix("#/").split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, Mapping) or name not in found:
            raise NoInstanceError(f"the schema refers to {reference}, which is not in it")
        found = found[name]
    if not isinstance(found, Mapping):
        raise NoInstanceError(f"{reference} is no schema")
    return found
