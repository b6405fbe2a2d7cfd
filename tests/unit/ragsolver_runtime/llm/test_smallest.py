from enum import StrEnum
from typing import Annotated, Literal

import jsonschema
import pytest
from pydantic import BaseModel, Field

from ragsolver_runtime.llm.smallest import NoInstanceError, smallest


class Kind(StrEnum):
    ONE = "one"
    TWO = "two"


class Hole(BaseModel):
    name: Annotated[str, Field(pattern=r"^h\d+$")]
    goal: Annotated[str, Field(min_length=3)]


class Everything(BaseModel):
    kind: Kind
    route: Literal["retry", "stop"]
    holes: Annotated[list[Hole], Field(min_length=2, max_length=3)]
    queries: tuple[str, str]
    score: Annotated[float, Field(gt=0, le=1)]
    level: Annotated[int, Field(ge=3)]
    below: Annotated[int, Field(lt=0)]
    hint: str | None
    either: int | Hole
    sure: bool
    named: dict[str, int]
    more: str = "as it is"


def test_the_smallest_answer_satisfies_its_class():
    schema = Everything.model_json_schema()
    made = smallest(schema)
    jsonschema.validate(made, schema)
    Everything.model_validate(made)
    assert made["hint"] is None
    assert len(made["holes"]) == 2
    assert "more" not in made


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ({}, ""),
        ({"type": "object"}, {}),
        ({"type": ["integer", "null"]}, 0),
        ({"const": 4}, 4),
        ({"type": "string", "examples": ["an example"]}, "an example"),
        ({"type": "string", "minLength": 12}, "x" * 12),
        ({"type": "integer", "maximum": -3}, -3),
        ({"allOf": [{"type": "object", "required": ["a"]}], "properties": {}}, {"a": ""}),
    ],
)
def test_every_kind_of_schema(schema, made):
    assert smallest(schema) == made


class Tree(BaseModel):
    below: "Tree"


def test_what_cannot_be_made_is_said():
    with pytest.raises(NoInstanceError, match="no finite instance"):
        smallest(Tree.model_json_schema())
    with pytest.raises(NoInstanceError, match="pattern"):
        smallest({"type": "string", "pattern": "^zz[0-9]{7}$"})
    with pytest.raises(NoInstanceError, match="refers to"):
        smallest({"$ref": "#/$defs/Nothing"})
