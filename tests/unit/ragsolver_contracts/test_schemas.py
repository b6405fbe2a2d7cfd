from ragsolver_contracts.schemas import all_schemas, render


def test_wire_names_are_used() -> None:
    schema = all_schemas()["v1/problem_planned.schema.json"]
    assert "subject" in schema["properties"]
    assert "entity" not in schema["properties"]
    assert schema["title"] == "ragsolver.problem_planned.v1"


def test_rendering_is_stable() -> None:
    assert render({"b": 1, "a": "∀"}) == '{\n  "a": "∀",\n  "b": 1\n}\n'
