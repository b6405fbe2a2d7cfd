import pytest
from pydantic import ValidationError

from ragsolver_contracts.invalid import InvalidEventError, pointers
from ragsolver_contracts.problem import ProblemInput


def test_pointers_name_every_fault() -> None:
    with pytest.raises(ValidationError) as caught:
        ProblemInput.model_validate({"source": {"a/b~c": 1}, "hints": [3]})
    found = dict(pointers(caught.value))
    assert set(found) == {"/name", "/source/a~1b~0c", "/hints/0"}
    assert found["/name"] == "required, but not there"
    assert found["/source/a~1b~0c"] == "unknown field"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("name", "a/b", "no `/`"), ("name", "_a", "no `_`"), ("run_id", "a b", "letters, digits")],
)
def test_a_wrong_shape_is_told_in_words(field: str, value: str, words: str) -> None:
    given = {"name": "a", "formal_statement": "theorem a : True", field: value}
    with pytest.raises(ValidationError) as caught:
        ProblemInput.model_validate(given)
    ((pointer, what),) = pointers(caught.value)
    assert pointer == f"/{field}"
    assert words in what
    assert "^" not in what


def test_message_lists_pointer_and_fault() -> None:
    error = InvalidEventError([("/data/x", "is wrong"), ("", "not JSON")])
    assert str(error) == "/data/x: is wrong; /: not JSON"
