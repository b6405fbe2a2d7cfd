import shutil
import subprocess

import pytest

from ragsolver_runtime.access.certificates import make_ca, make_certificate
from ragsolver_runtime.errors import ConfigError


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on this machine")
def test_a_certificate_is_for_its_hosts_and_signed_by_the_ca(tmp_path):
    ca = make_ca(tmp_path, 2)
    made = make_certificate(ca, tmp_path, "n1", ["bus.example", "10.0.0.1"], 2)
    command = ["openssl", "x509", "-noout", "-text", "-in", str(made.certificate)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "DNS:bus.example" in said
    assert "IP Address:10.0.0.1" in said
    assert "CA:FALSE" in said
    checked = subprocess.run(
        ["openssl", "verify", "-CAfile", str(ca.certificate), str(made.certificate)],
        capture_output=True,
    )
    assert checked.returncode == 0
    for file in (ca.key, made.key):
        assert file.stat().st_mode & 0o077 == 0


def test_without_openssl_the_message_says_what_else_can_be_done(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="--tls-cert"):
        make_ca(tmp_path, 2)
