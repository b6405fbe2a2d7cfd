"""The AsyncAPI document against the schema that the AsyncAPI initiative publishes on npm."""

import json
import subprocess
import tarfile

import jsonschema
import pytest
import yaml

from meta.house import ROOT
from ragsolver_verifier.toolchain.node import npm_argv

pytestmark = pytest.mark.connected

PACKAGE = "@asyncapi/specs@6.11.1"
MEMBER = "package/schemas/3.0.0-without-$id.json"


@pytest.fixture(scope="module")
def official(request, tmp_path_factory):
    """The official schema; it is kept in pytest's cache, where there is one."""
    folder = tmp_path_factory.mktemp("npm")
    cache = getattr(request.config, "cache", None)
    kept = (cache.mkdir("asyncapi") if cache else folder) / "3.0.0.json"
    if not kept.is_file():
        try:
            packing = [*npm_argv(), "pack", PACKAGE, "--ignore-scripts", "--no-audit"]
            subprocess.run(packing, cwd=folder, check=True, capture_output=True, timeout=50)
        except (OSError, subprocess.SubprocessError) as error:
            pytest.skip(f"npm does not give {PACKAGE}: {error}")
        with tarfile.open(next(folder.glob("*.tgz"))) as archive:
            kept.write_bytes(archive.extractfile(MEMBER).read())
    return jsonschema.Draft7Validator(json.loads(kept.read_text(encoding="utf-8")))


@pytest.fixture
def document():
    file = ROOT / "contracts/schemas/asyncapi.yaml"
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def test_the_document_is_valid(official, document):
    assert [f"{e.json_path}: {e.message}" for e in official.iter_errors(document)] == []


def test_a_wrong_document_is_not(official, document):
    document["channels"]["submit"]["adress"] = "x"
    assert not official.is_valid(document)
