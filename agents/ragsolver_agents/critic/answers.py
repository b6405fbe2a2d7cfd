"""What a model answers the critic: opinions, held against what Lean said."""

from typing import Annotated

from pydantic import Field, StringConstraints

from ragsolver_contracts.base import Model
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_runtime.llm.port import Answer, NoAnswer

Sentence = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4_000)]


class CritiqueAnswer(Model):
    """A model's view of a failed attempt."""

    error_class: ErrorClass
    """What went wrong, in one word."""
    missing_identifiers: tuple[Annotated[str, StringConstraints(max_length=300)], ...] = Field(
        default=(), max_length=20
    )
    """Names that the candidates used and Lean did not know, exactly as written."""
    advice: Sentence
    """What the next sketch should do otherwise, in at most five sentences."""
    route: Route
    """What should follow: `retry`, `re_retrieve`, `replan`, `exhausted`."""
    suspect_statement: bool = False
    """Whether the statement itself cannot be proved as it stands."""
    reason: Sentence = ""
    """Why the statement is suspect; empty where it is not."""


class FidelityAnswer(Model):
    """A model's view of whether a Lean statement says what the words say."""

    faithful: bool
    """Whether it says the same: neither more nor less, and not something empty."""
    reason: Sentence
    """Why, in one or two sentences."""
    issues: tuple[Sentence, ...] = Field(default=(), max_length=20)
    """What differs, one thing each."""


Said = Answer[CritiqueAnswer] | Answer[FidelityAnswer] | NoAnswer | None
"""What a model answered the critic; none: no model was asked."""
