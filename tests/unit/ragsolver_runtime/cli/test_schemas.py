from pathlib import Path

from click.testing import CliRunner

from ragsolver_runtime.cli.schemas import schemas


def test_written_schemas_are_current_until_one_changes(tmp_path: Path) -> None:
    runner, folder = CliRunner(), ("--folder", str(tmp_path))
    assert runner.invoke(schemas, ["write", *folder]).exit_code == 0
    assert runner.invoke(schemas, ["check", *folder]).exit_code == 0
    changed = next(tmp_path.rglob("*.schema.json"))
    changed.write_text("{}")
    done = runner.invoke(schemas, ["check", *folder])
    assert done.exit_code == 1
    assert f"{changed.name}: differs" in done.output
    assert "ragsolver schemas write" in done.output


def test_a_document_that_differs_is_told(tmp_path: Path) -> None:
    runner, folder = CliRunner(), ("--folder", str(tmp_path))
    runner.invoke(schemas, ["write", *folder])
    (tmp_path / "asyncapi.yaml").unlink()
    done = runner.invoke(schemas, ["check", *folder])
    assert done.exit_code == 1
    assert "asyncapi.yaml: missing or differs" in done.output


def test_the_document_is_printed() -> None:
    done = CliRunner().invoke(schemas, ["asyncapi"])
    assert done.exit_code == 0
    assert "asyncapi: 3.0.0" in done.output
