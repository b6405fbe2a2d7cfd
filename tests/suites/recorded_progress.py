"""A progress display that only remembers what it was told."""

from typing import Self

from ragsolver_runtime.run_view import ProblemView


class RecordedProgress:
    """Remembers notes and ended problems."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.problems: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def note(self, text: str) -> None:
        """Remember the note."""
        self.notes.append(text)

    def ended(self, problem: ProblemView) -> None:
        """Remember the problem."""
        self.problems.append(problem.problem_id)
