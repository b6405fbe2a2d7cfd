"""What a run is part of when several configurations are compared; stands in `run_started`."""

from typing import Literal

from pydantic import Field

from ragsolver_contracts.base import Model


class Contaminated(Model):
    """A test problem that a corpus already answers."""

    name: str
    """Name of the problem."""
    corpus: str
    document: str
    """The nearest declaration or passage."""
    why: Literal["statement", "similar", "name"]
    """`statement`: the same up to the names of variables; `similar`: its encoding is as near as
    that of a paraphrase; `name`: the declaration of this name, the problem's own solution."""
    similarity: float | None = None
    """Cosine of the two encodings."""


class ContaminationCheck(Model):
    """What was compared with what, before anything ran."""

    corpora: tuple[str, ...] = ()
    """Each with its version; none: nothing was compared."""
    encoder: str = ""
    threshold: float = Field(default=0.9, ge=0, le=1)
    """Cosine above which two texts count as paraphrases."""
    problems: int = Field(default=0, ge=0)
    """Problems that were compared."""
    found: tuple[Contaminated, ...] = ()
    skipped: str = ""
    """Why nothing was compared, in one sentence."""


class Evaluation(Model):
    """One run's place in an evaluation."""

    evaluation_id: str
    repetition: int = Field(default=1, ge=1)
    baseline: str = ""
    """Name of the configuration that the others are compared with."""
    contamination: ContaminationCheck = ContaminationCheck()
