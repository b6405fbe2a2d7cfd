"""What a model answers the generator."""

from pydantic import Field

from ragsolver_contracts.base import Model


class SketchedHole(Model):
    """One gap of a sketch."""

    name: str = Field(description="Name of the `have` that it proves: h1, h2, …")
    statement_nl: str = Field(default="", description="What it says, in words.")


class SketchAnswer(Model):
    """A sketch of a proof."""

    text: str = Field(min_length=1, description="The proof in words, step by step.")
    used_citations: tuple[str, ...] = Field(
        default=(), description="Ids such as M1 or I2 that the proof uses, of those shown."
    )
    proof_with_holes: str = Field(
        default="",
        description="Lean text after `:=` with `sorry` for each hole; empty for a direct proof.",
    )
    holes: tuple[SketchedHole, ...] = Field(
        default=(), description="One per `sorry` of proof_with_holes, in its order."
    )
