import json

import pytest
from click.testing import CliRunner

from ragsolver_rag.build import build_index
from ragsolver_rag.cli import index
from ragsolver_rag.index_folder import find_index, tables_dir
from ragsolver_rag.settings import RetrieverSettings
from suites import library

SETTINGS = RetrieverSettings(corpus="mini", dense=False)
FLAGS = ["--set", "retriever.corpus=mini", "--set", "retriever.dense=false"]


@pytest.fixture(autouse=True)
def built(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    library.write_corpus(tmp_path / "corpora" / "mini")
    build_index(SETTINGS)


def check(*more):
    return CliRunner().invoke(index, ["check", *FLAGS, *more])


def test_a_whole_index_is_said_to_be_whole():
    assert "is whole: 13 declarations" in check().output
    assert json.loads(check("--json").output)["listed"] is True


def test_a_turned_byte_anywhere_is_found_and_the_repair_is_said(monkeypatch):
    monkeypatch.setattr("ragsolver_rag.index_files.SMALL", 0)
    folder, manifest = find_index(SETTINGS)
    path = tables_dir(folder, manifest) / manifest.files[0].path
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    found = check()
    assert found.exit_code != 0
    assert "other content than was written" in str(found.exception)
    assert "run `ragsolver index build" in str(found.exception)
