"""The committed JSON Schemas say what the models say, and the given contract is met."""

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from ragsolver_contracts import schemas
from ragsolver_contracts.events import PAYLOADS, schema_name
from ragsolver_contracts.retrieval import RetrievalResult

CONTRACTS = Path(__file__).parents[2] / "contracts"


def test_committed_schemas_are_current() -> None:
    assert schemas.check(CONTRACTS / "schemas") == []


def test_drift_is_found_in_both_directions(tmp_path: Path) -> None:
    written = schemas.write(tmp_path)
    (tmp_path / written[0]).write_text("{}")
    (tmp_path / written[1]).unlink()
    (tmp_path / "v1" / "of_no_model.schema.json").write_text("{}")
    assert {(drift.file, drift.what) for drift in schemas.check(tmp_path)} == {
        (written[0], "differs"),
        (written[1], "missing"),
        ("v1/of_no_model.schema.json", "unexpected"),
    }
    schemas.write(tmp_path)
    assert schemas.check(tmp_path) == []


def test_every_schema_is_itself_valid() -> None:
    for schema in schemas.all_schemas().values():
        Draft202012Validator.check_schema(schema)


def test_retrieval_result_is_the_given_contract() -> None:
    given = json.loads((CONTRACTS / "given" / "RetrievalResult.schema.json").read_text())
    assert RetrievalResult.model_json_schema() == given


def test_every_event_has_a_schema_file() -> None:
    names = {schema_name(name, payload.VERSION) for name, payload in PAYLOADS.items()}
    assert names <= set(schemas.all_schemas())
