"""What a model answers the formalizer."""

from pydantic import Field

from ragsolver_contracts.base import Model


class AnsweredCandidate(Model):
    """One complete proof, untrusted."""

    proof: str = Field(min_length=1, max_length=100_000, description="What follows `:=`.")
    preamble: str = Field(
        default="",
        max_length=100_000,
        description="Lemmas and definitions before the theorem; mostly empty.",
    )
    negated: bool = Field(
        default=False, description="Whether it proves the negation of the statement."
    )
    used_citations: tuple[str, ...] = Field(
        default=(), description="Ids such as M1 whose lemmas it uses, of those shown."
    )


class CandidatesAnswer(Model):
    """Candidates for one sketch."""

    candidates: tuple[AnsweredCandidate, ...] = Field(
        min_length=1, description="Different candidates, the most promising first."
    )


class StatementAnswer(Model):
    """A Lean statement for words."""

    formal_statement: str = Field(
        min_length=1,
        max_length=100_000,
        description="One theorem `theorem name … : type`, without a proof.",
    )
    header: str = Field(
        default="",
        max_length=10_000,
        description="Lines of `import` and `open` only; empty where none is needed.",
    )
    notes: str = Field(default="", description="How the words were read, in short.")
