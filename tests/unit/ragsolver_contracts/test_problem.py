import pytest
from pydantic import ValidationError

from ragsolver_contracts.problem import ProblemInput


@pytest.mark.parametrize("name", ["aimeII_2001_p3", "Nat.add'", "x" * 200])
def test_names_of_published_files_are_taken(name: str) -> None:
    assert ProblemInput(name=name).name == name


@pytest.mark.parametrize("name", ["", "_run", "_in-abc", "a b", "a/b", "x" * 201])
def test_names_that_could_be_taken_for_ids_of_the_runtime_are_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="name"):
        ProblemInput(name=name)
