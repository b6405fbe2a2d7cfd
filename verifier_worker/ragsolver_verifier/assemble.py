"""Our own copy of the statement around an untrusted proof."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """What is to be checked, without its statement.

    Attributes:
        proof: what follows `:=`.
        preamble: declarations before the statement.
        whole: a complete text that states the theorem itself; replaces the other two.
    """

    proof: str = ""
    preamble: str = ""
    whole: str | None = None


def one_line_end(text: str) -> str:
    """The text with a lone line feed at the end of every line: Lean reads nothing else."""
    return text.replace("\r\n", "\n")


def assemble(statement: str, candidate: Candidate) -> str:
    """The text that Lean elaborates after the header.

    The statement is ours, not the candidate's. Nothing is escaped: a preamble that swallows the
    statement leaves a text that does not declare it, and that is found out in the environment.
    Lines end in a lone line feed, as in a file that Lean itself reads.

    Args:
        statement: `theorem name … : type`, ending before `:=`.
        candidate: the untrusted rest.
    """
    if candidate.whole is not None:
        return one_line_end(candidate.whole)
    last_line = statement.rsplit("\n", 1)[-1]
    define = "\n  := " if "--" in last_line else " := "
    before = f"{candidate.preamble.rstrip()}\n\n" if candidate.preamble.strip() else ""
    return one_line_end(f"{before}{statement}{define}{candidate.proof}")


def full_source(header: str, text: str) -> str:
    """Header and text as one file."""
    return f"{header.rstrip()}\n\n{text}" if header.strip() else text
