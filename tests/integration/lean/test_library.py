"""A thread of Lean reads the library by itself, and nothing else of the host."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ragsolver_verifier.toolchain import locate
from ragsolver_verifier.toolchain.node import node_path

pytestmark = pytest.mark.connected

NEXT = "next"
"""Left to the operation that was there before."""
ENOENT, ELOOP, EBADF, EINVAL = 44, 32, 8, 28


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    base = tmp_path_factory.mktemp("library")
    root, outside = base / "lib", base / "out.olean"
    (root / "Some").mkdir(parents=True)
    (root / "Folder.olean").mkdir()
    (root / "Some" / "File.olean").write_text("contents")
    (root / "Some" / "File.txt").write_text("text")
    outside.write_text("secret")
    (root / "Link.olean").symlink_to(outside)
    script = Path(locate.__file__).with_name("library.js")
    probe = Path(__file__).with_name("library_probe.js")
    command = [node_path(), probe, script, root, outside]
    done = subprocess.run(command, capture_output=True, timeout=60, check=True)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_files_are_read(said: dict[str, Any]) -> None:
    assert said["read"] == ["cont", "ents", ""]
    assert said["seek"] == [0, "nte", 0, "s"]
    assert said["seekBefore"] == EINVAL
    assert said["stat"] == [0, 0, -ENOENT, -ENOENT]
    assert said["missing"] == -ENOENT


def test_a_closed_file_is_no_file(said: dict[str, Any]) -> None:
    assert said["closed"] == [0, NEXT, NEXT]


def test_only_files_are_opened_and_only_for_reading(said: dict[str, Any]) -> None:
    assert (said["folder"], said["folderAsFile"]) == (NEXT, NEXT)
    assert said["link"] == -ELOOP
    assert said["writing"] == [NEXT] * 5


def test_no_name_leads_out_of_the_library(said: dict[str, Any]) -> None:
    assert said["names"] == [NEXT] * len(said["names"])
    assert said["elsewhere"] == [NEXT] * len(said["elsewhere"])


def test_no_made_up_number_is_an_open_file(said: dict[str, Any]) -> None:
    assert said["madeUp"] == [NEXT] * len(said["madeUp"])


def test_where_too_many_are_open_the_old_way_goes_on(said: dict[str, Any]) -> None:
    assert said["many"] == [256, NEXT]
    assert said["manyClosed"] == 256
    assert said["again"] == "cont"
