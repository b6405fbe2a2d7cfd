"""A CA and certificates of one's own, made by the `openssl` program.

The program is on every server that has TLS at all; the Python package that could do the same is
a compiled library of several MB, needed by this one command only.
"""

import ipaddress
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ragsolver_runtime.errors import ConfigError

CA = "ca.pem"
CA_KEY = "ca.key"
_TIMEOUT_S = 30.0
_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


@dataclass(frozen=True)
class Certificate:
    """Files of a certificate and of its key."""

    certificate: Path
    key: Path


def make_ca(folder: Path, days: int) -> Certificate:
    """A CA: `ca.pem`, which everybody gets, and `ca.key`, which signs and goes nowhere.

    Args:
        folder: where.
        days: how long it is valid.

    Raises:
        ConfigError: there is no `openssl`, or it fails.
    """
    made = Certificate(folder / CA, folder / CA_KEY)
    _openssl(
        *("req", "-x509", *_CURVE, "-days", str(days), "-subj", "/CN=RagSolver bus CA"),
        *("-addext", "basicConstraints=critical,CA:TRUE,pathlen:0"),
        *("-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        *("-keyout", str(made.key), "-out", str(made.certificate)),
    )
    made.key.chmod(0o600)
    return made


def make_certificate(
    ca: Certificate, folder: Path, name: str, hosts: Sequence[str], days: int
) -> Certificate:
    """A certificate signed by the CA, for a server (with hosts) or for a client (without).

    Args:
        ca: who signs.
        folder: where.
        name: of the files and in the certificate.
        hosts: names and addresses of the server.
        days: how long it is valid; negative: it ran out, for tests.

    Raises:
        ConfigError: there is no `openssl`, or it fails.
    """
    made = Certificate(folder / f"{name}.pem", folder / f"{name}.key")
    with tempfile.TemporaryDirectory(prefix="ragsolver-tls-") as scratch:
        request, extensions = Path(scratch) / "request.csr", Path(scratch) / "extensions.cnf"
        _openssl(
            *("req", *_CURVE, "-subj", f"/CN={name}"),
            *("-keyout", str(made.key), "-out", str(request)),
        )
        # A server of a cluster is a client of the others.
        usage = "serverAuth,clientAuth" if hosts else "clientAuth"
        lines = ["basicConstraints=critical,CA:FALSE", f"extendedKeyUsage={usage}"]
        if hosts:
            lines.append("subjectAltName=" + ",".join(_alternative(host) for host in hosts))
        extensions.write_text("\n".join(lines) + "\n", encoding="utf-8")
        _openssl(
            *("x509", "-req", "-in", str(request), "-days", str(days), "-CAcreateserial"),
            *("-CA", str(ca.certificate), "-CAkey", str(ca.key)),
            *("-CAserial", str(Path(scratch) / "serial"), "-extfile", str(extensions)),
            *("-out", str(made.certificate)),
        )
    made.key.chmod(0o600)
    return made


def _alternative(host: str) -> str:
    try:
        return f"IP:{ipaddress.ip_address(host)}"
    except ValueError:
        return f"DNS:{host}"


def _openssl(*arguments: str) -> None:
    program = shutil.which("openssl")
    if program is None:
        raise ConfigError(
            "no `openssl` on this machine, which makes the certificates: install it, or bring "
            "your own with --tls-cert, --tls-key and --tls-ca"
        )
    old = os.umask(0o077)
    try:
        done = subprocess.run(
            [program, *arguments],
            check=False,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
        )
    finally:
        os.umask(old)
    if done.returncode != 0:
        raise ConfigError(f"openssl {arguments[0]} failed: {done.stderr.strip()[-400:]}")
