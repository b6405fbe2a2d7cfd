"""How a message that breaks its contract is described."""

from collections.abc import Sequence

from pydantic import ValidationError

_WORDS = {"extra_forbidden": "unknown field", "missing": "required, but not there"}
"""What the two most frequent faults are called, where pydantic's own words mislead."""

_SHAPES = {
    "name": "no blanks and no `/`, and no `_` at the beginning",
    "run_id": "letters, digits, `-` and `_`, at most 64, a letter or digit first",
    "id": "32 digits of 0-9 and a-f",
    "source": "`<role>/<instance>`",
    "subject": "`<run>/<problem>`",
    "subgoal_id": "`s` and a number",
    "hole_id": "`h` and a number",
}
"""What a text must be like, by the field that holds it, in words instead of a pattern."""


class InvalidEventError(ValueError):
    """A message does not fit its contract.

    Attributes:
        problems: JSON pointer (RFC 6901) and description of everything that is wrong.
    """

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{pointer or '/'}: {what}" for pointer, what in problems))


def pointers(error: ValidationError) -> list[tuple[str, str]]:
    """JSON pointer and message of each problem that pydantic found."""
    found = []
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        parts = [str(part) for part in item["loc"] if not str(part).startswith("ragsolver.")]
        escaped = (part.replace("~", "~0").replace("/", "~1") for part in parts)
        what = _WORDS.get(item["type"]) or _shape(item["type"], parts) or str(item["msg"])
        found.append(("".join(f"/{part}" for part in escaped), what))
    return found


def _shape(fault: str, parts: Sequence[str]) -> str:
    if fault != "string_pattern_mismatch":
        return ""
    shape = _SHAPES.get(parts[-1] if parts else "")
    return f"not written as it must be: {shape}" if shape else "not written as it must be"
