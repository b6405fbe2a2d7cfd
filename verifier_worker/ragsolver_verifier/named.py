"""Which names a proof's text mentions."""

import re

_COMMENT = re.compile(r"--[^\n]*|/-.*?-/", re.DOTALL)
_NAME = re.compile(r"(?<![\w.'])(?:[^\W\d]|_)[\w'!?]*(?:\.(?:[^\W\d]|_)[\w'!?]*)*")
_LONGEST = 200


def identifiers(text: str) -> tuple[str, ...]:
    """Identifiers in a Lean text outside comments, sorted; which ones exist is Lean's to say."""
    found = set(_NAME.findall(_COMMENT.sub(" ", text)))
    return tuple(sorted(name for name in found if len(name) <= _LONGEST))
