"""Credentials of one role on a bus with users: one file, that whoever holds it is that role.

The file is TOML, so that a person can read what it is for. It says where the servers are, whom
to believe (the CA), and holds the secret: the seed of an nkey, or a password.
"""

import logging
import ssl
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ragsolver_contracts.invalid import pointers
from ragsolver_runtime.errors import ConfigError

_log = logging.getLogger(__name__)

SUFFIX = ".toml"
CLIENT = "client"
"""Who submits, solves, watches, reports, cancels and replays: the command line."""
OBSERVER = "observer"
"""Who only looks: watch, report, the web page, metrics."""
OPERATOR = "operator"
"""Who makes streams and consumers, and imports traces."""
COMMAND_ROLES = (CLIENT, OBSERVER, OPERATOR)
"""What a command may be, best first."""
_OPEN_TO_OTHERS = 0o007


@dataclass(frozen=True)
class Credentials:
    """Who somebody is on a bus, and how its servers are known.

    Attributes:
        role: name of the role and of its user.
        servers: URLs of the bus.
        seed: of its nkey; empty where it has a password.
        password: of its user; empty where it has an nkey.
        ca: PEM text of the CA that signed the servers' certificates; empty for the system's.
        certificate: file of its own certificate, for servers that ask for one.
        key: file of that certificate's key.
        tls_first: whether the servers speak TLS from the first byte on, so that nobody in
            between can talk us out of it.
    """

    role: str
    servers: tuple[str, ...] = ()
    seed: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    ca: str = field(default="", repr=False)
    certificate: str = ""
    key: str = ""
    tls_first: bool = False

    @property
    def inbox_prefix(self) -> str:
        """Where answers to it go."""
        return inbox_prefix(self.role)

    def tls(self) -> ssl.SSLContext | None:
        """How its servers are checked; none where they speak no TLS.

        Raises:
            ConfigError: CA or certificate cannot be read.
        """
        if not self.ca and not any(url.startswith("tls://") for url in self.servers):
            return None
        try:
            context = ssl.create_default_context(cadata=self.ca or None)
            if self.certificate:
                context.load_cert_chain(self.certificate, self.key or None)
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(
                f"credentials of role {self.role}: CA or certificate cannot be read: {error}"
            ) from error
        return context


def inbox_prefix(role: str) -> str:
    """Where answers to a role go; nobody else may listen there."""
    return f"_INBOX_{role}"


def credentials_of(path: Path, roles: Iterable[str]) -> Credentials:
    """The credentials that a process uses.

    Args:
        path: a file, or a folder with one file per role.
        roles: what the process may be; in a folder the first one that is there is taken.

    Raises:
        ConfigError: there is none, it cannot be read, or it is another role's.
    """
    wanted = tuple(roles)
    file = path
    if path.is_dir():
        found = [path / f"{role}{SUFFIX}" for role in wanted]
        file = next((one for one in found if one.is_file()), found[0])
    known = read_credentials(file)
    if known.role not in wanted:
        raise ConfigError(
            f"{file} holds the credentials of role {known.role}, and this process is "
            f"{' or '.join(wanted)}: name that file with --creds, or a folder with all of them"
        )
    return known


def servers_of(path: Path) -> str | None:
    """The bus that credentials name, servers with commas between them.

    Args:
        path: a file, or a folder with one file per role: any of them tells.

    Raises:
        ConfigError: it cannot be read.
    """
    files = sorted(path.glob(f"*{SUFFIX}"))[:1] if path.is_dir() else [path]
    return ",".join(read_credentials(files[0]).servers) or None if files else None


def read_credentials(file: Path) -> Credentials:
    """One file of credentials.

    Raises:
        ConfigError: it is missing, or is no such file.
    """
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
        mode = file.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"no credentials at {file}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        # The error's own text may quote the line that holds the secret.
        raise ConfigError(f"{file} is not a file of credentials: no TOML") from error
    if mode & _OPEN_TO_OTHERS:
        _log.warning("everybody on this machine can read the credentials in %s: chmod 600", file)
    for name in ("certificate", "key"):
        if values.get(name):
            values[name] = str(file.parent / str(values[name]))
    return _checked(values, file)


def _checked(values: dict[str, Any], file: Path) -> Credentials:
    unknown = sorted(set(values) - set(Credentials.__dataclass_fields__))
    if unknown:
        raise ConfigError(f"{file}: unknown key {unknown[0]!r} in credentials")
    try:
        found = TypeAdapter(Credentials).validate_python(values)
    except ValidationError as error:
        where = ", ".join(pointer.lstrip("/") for pointer, _ in pointers(error))
        raise ConfigError(f"{file} is not a file of credentials: see {where}") from None
    if bool(found.seed) == bool(found.password):
        raise ConfigError(f"{file}: credentials hold either a seed or a password")
    return found


def credentials_text(made: Credentials) -> str:
    """The file of credentials, as text."""
    secret = ("seed", made.seed) if made.seed else ("password", made.password)
    servers = ", ".join(_quoted(url) for url in made.servers)
    lines = [
        f"# Role {made.role} on a RagSolver bus. Whoever can read this file is that role.",
        f"role = {_quoted(made.role)}",
        f"servers = [{servers}]",
        f"{secret[0]} = {_quoted(secret[1])}",
    ]
    if made.tls_first:
        lines.append("tls_first = true")
    for name, value in (("certificate", made.certificate), ("key", made.key)):
        if value:
            lines.append(f"{name} = {_quoted(value)}")
    if made.ca:
        lines.append(f'ca = """\n{made.ca.strip()}\n"""')
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
