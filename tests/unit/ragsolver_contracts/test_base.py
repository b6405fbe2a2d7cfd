import pytest
from pydantic import ValidationError

from ragsolver_contracts.base import Model


class Thing(Model):
    size: int


def test_unknown_field_is_an_error() -> None:
    with pytest.raises(ValidationError, match="colour"):
        Thing.model_validate({"size": 1, "colour": "red"})


def test_values_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Thing(size=1).size = 2
