"""One example of each event: valid by schema, read and written without loss."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ragsolver_contracts.events import PAYLOADS, parse_event, schema_name

CONTRACTS = Path(__file__).parents[2] / "contracts"


@pytest.mark.parametrize("name", sorted(PAYLOADS))
def test_example_is_valid_and_round_trips(name: str) -> None:
    raw = (CONTRACTS / "examples" / "v1" / f"{name}.json").read_text(encoding="utf-8")
    schema = json.loads((CONTRACTS / "schemas" / schema_name(name, 1)).read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(json.loads(raw))
    event = parse_event(raw)
    assert event.name == name
    assert json.loads(event.to_json()) == json.loads(raw)


def test_no_example_without_an_event() -> None:
    files = {path.stem for path in (CONTRACTS / "examples" / "v1").glob("*.json")}
    assert files == set(PAYLOADS)
