"""The installation of the native toolchain against the real elan, where the network ends at us."""

import shutil

import pytest

from ragsolver_verifier.toolchain import native_install
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.native import NATIVE_STAMP, why_not_native
from ragsolver_verifier.toolchain.native_install import install_native
from ragsolver_verifier.toolchain.native_project import project_folder

pytestmark = [pytest.mark.connected, pytest.mark.timeout(120)]

NOWHERE = "http://127.0.0.1:9"
"""The discard port: nothing listens there."""


@pytest.fixture(autouse=True)
def without_network(tmp_path, monkeypatch):
    if shutil.which("elan") is None:
        pytest.skip("elan is missing: install the Debian package elan")
    for name in ("http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, NOWHERE)
    monkeypatch.setenv("ELAN_HOME", str(tmp_path / "elan"))
    monkeypatch.setattr(native_install, "NEEDED_DISK", 1)


def test_without_a_network_elan_s_failure_is_explained(tmp_path):
    reports = []
    with pytest.raises(ToolchainError) as caught:
        install_native(reports.append, cache=tmp_path)
    said = str(caught.value)
    assert "`elan toolchain install leanprover/lean4:v4.28.0-rc1`" in said
    assert "There is no way to the network from here" in said
    assert "<unknown>" not in said
    assert not (project_folder(tmp_path) / NATIVE_STAMP).exists()
    assert "nothing whole" in why_not_native(tmp_path)
    assert reports[0].step == "toolchain"


def test_a_toolchain_that_is_only_a_folder_does_not_pass_for_one(tmp_path):
    fake = tmp_path / "elan" / "toolchains" / "leanprover--lean4---v4.28.0-rc1" / "bin"
    fake.mkdir(parents=True)
    (fake / "lean").write_text("")
    with pytest.raises(ToolchainError, match="lake update --keep-toolchain"):
        install_native(cache=tmp_path)
