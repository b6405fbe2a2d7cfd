"""Writes the files of a bus with users: for the servers, for each role, and a CA of its own.

FOLDER/server/NAME.conf      the server's file, with ca.pem, NAME.pem and NAME.key beside it
FOLDER/credentials/ROLE.toml the credentials of a role
FOLDER/ca.key                signs certificates; belongs on no server

Everything is made and tested by the server itself in a scratch folder first, so that a mistake
leaves the folder as it was.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from ragsolver_runtime.access.certificates import (
    CA,
    CA_KEY,
    Certificate,
    make_ca,
    make_certificate,
)
from ragsolver_runtime.access.credentials import (
    SUFFIX,
    Credentials,
    credentials_text,
    read_credentials,
)
from ragsolver_runtime.access.secrets import Kind, Secret, known_secret, make_secret
from ragsolver_runtime.access.server_file import Node, ServerPlan, ServerTls, server_text
from ragsolver_runtime.access.table import Access
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.server import server_binary

SERVER, CREDENTIALS = "server", "credentials"
SINGLE = "server"
"""Name of a server that is no node of a cluster."""
_TEST_S = 20.0


@dataclass(frozen=True)
class OwnTls:
    """Certificates that somebody else made; files on this machine."""

    certificate: Path
    key: Path
    ca: Path | None = None


@dataclass(frozen=True)
class Order:
    """What is asked for; sizes in bytes.

    Attributes:
        folder: where everything goes.
        hosts: names and addresses by which clients reach the servers.
        kind: how users prove who they are.
        tls: certificates of one's own; none for self-signed ones, or for no TLS.
        self_signed: whether to make a CA and certificates.
        verify: whether clients must show certificates as well.
        port: of the servers, for clients.
        nodes: of a cluster; empty for a single server.
        store: folder of the streams, as the server finds it.
        there: FOLDER/server, as the server finds it.
        max_store: upper bound of the store.
        monitor: `host:port` of the monitoring page; empty for none.
        days: how long certificates are valid.
        keep: whether secrets and certificates that are there stay.
        rotate: roles that get a new secret all the same.
        force: whether files that are there may be replaced.
    """

    folder: Path
    hosts: Sequence[str]
    kind: Kind = "nkeys"
    tls: OwnTls | None = None
    self_signed: bool = False
    verify: bool = False
    port: int = 4222
    nodes: Sequence[Node] = ()
    store: PurePath | None = None
    there: PurePath | None = None
    max_store: int = 8 * 1024**3
    monitor: str = ""
    days: int = 825
    keep: bool = False
    rotate: Sequence[str] = ()
    force: bool = False

    @property
    def has_tls(self) -> bool:
        """Whether the servers speak TLS."""
        return self.self_signed or self.tls is not None


@dataclass(frozen=True)
class Written:
    """What was written."""

    servers: tuple[Path, ...]
    credentials: dict[str, Path] = field(default_factory=dict)
    urls: tuple[str, ...] = ()


def write_access(order: Order, table: Mapping[str, Access]) -> Written:
    """Write the files.

    Args:
        order: what is asked for.
        table: who may do what.

    Raises:
        ConfigError: files are there already, something is missing, or the server refuses a file.
    """
    folder = order.folder
    existing = folder / CREDENTIALS
    if existing.exists() and not (order.force or order.keep):
        raise ConfigError(
            f"{folder} holds the files of a bus already: --keep writes the server's file anew and "
            "leaves secrets as they are, --rotate ROLE changes that role's, --force all of them"
        )
    unknown = sorted(set(order.rotate) - set(table))
    if unknown:
        raise ConfigError(f"no role {unknown[0]!r} to rotate: there are {', '.join(table)}")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as scratch:
        made = Path(scratch)
        (made / SERVER).mkdir(mode=0o700)
        (made / CREDENTIALS).mkdir(mode=0o700)
        known = {role: _secret(order, role) for role in table}
        ca = _certificates(order, made)
        _credentials(order, made, known, ca)
        public = {role: secret.public for role, secret in known.items()}
        _server_files(order, made / SERVER, made / SERVER, table, public, tested=True)
        there = order.there or folder.resolve() / SERVER
        files = _server_files(order, made / SERVER, there, table, public, tested=False)
        for name in (SERVER, CREDENTIALS):
            (folder / name).mkdir(exist_ok=True, mode=0o700)
        for file in sorted(path for path in made.rglob("*") if path.is_file()):
            file.replace(folder / file.relative_to(made))
    return Written(
        tuple(folder / SERVER / file.name for file in files),
        {role: folder / CREDENTIALS / f"{role}{SUFFIX}" for role in table},
        _urls(order),
    )


def _secret(order: Order, role: str) -> Secret:
    file = order.folder / CREDENTIALS / f"{role}{SUFFIX}"
    if order.keep and role not in order.rotate and file.is_file():
        kept = read_credentials(file)
        return known_secret(kept.seed, kept.password)
    return make_secret(order.kind)


def _names(order: Order) -> dict[str, list[str]]:
    """Hosts in the certificate of each server, by the server's name."""
    if not order.nodes:
        return {SINGLE: list(order.hosts)}
    return {n.name: list(dict.fromkeys([n.host, *order.hosts])) for n in order.nodes}


def _certificates(order: Order, made: Path) -> str:
    """Certificates in the new folder; returns the CA's text for the credentials."""
    server = made / SERVER
    if order.tls is not None:
        for name in _names(order):
            _copy(order.tls.certificate, server / f"{name}.pem")
            _copy(order.tls.key, server / f"{name}.key")
        if order.tls.ca is None:
            return ""
        _copy(order.tls.ca, server / CA)
        return (server / CA).read_text(encoding="utf-8")
    if not order.self_signed:
        return ""
    old = Certificate(order.folder / SERVER / CA, order.folder / CA_KEY)
    if order.keep and old.key.is_file():
        _copy(old.certificate, made / CA)
        _copy(old.key, made / CA_KEY)
        ca = Certificate(made / CA, made / CA_KEY)
    else:
        ca = make_ca(made, max(order.days, 1))
    for name, hosts in _names(order).items():
        make_certificate(ca, server, name, hosts, order.days)
    if order.verify:
        make_certificate(ca, made / CREDENTIALS, "client", (), order.days)
    ca.certificate.replace(server / CA)
    return (server / CA).read_text(encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        raise ConfigError(f"cannot read {source}: {error}") from error
    target.chmod(0o600)


def _urls(order: Order) -> tuple[str, ...]:
    scheme = "tls" if order.has_tls else "nats"
    hosts = [node.host for node in order.nodes] or [order.hosts[0]]
    return tuple(f"{scheme}://{host}:{order.port}" for host in hosts)


def _credentials(order: Order, made: Path, known: Mapping[str, Secret], ca: str) -> None:
    shown = order.verify and order.self_signed
    for role, secret in known.items():
        one = Credentials(
            role=role,
            servers=_urls(order),
            seed=secret.seed,
            password=secret.password,
            ca=ca,
            certificate="client.pem" if shown else "",
            key="client.key" if shown else "",
            tls_first=order.has_tls,
        )
        file = made / CREDENTIALS / f"{role}{SUFFIX}"
        file.touch(mode=0o600)
        file.write_text(credentials_text(one), encoding="utf-8")


def _server_files(
    order: Order,
    target: Path,
    there: PurePath,
    table: Mapping[str, Access],
    public: Mapping[str, str],
    *,
    tested: bool,
) -> list[Path]:
    written = []
    for name in _names(order):
        plan = ServerPlan(
            name=f"ragsolver-{name}" if not order.nodes else name,
            listen=f"{_address(order)}:{order.port}",
            store=there / "jetstream" if tested else (order.store or there / "jetstream"),
            max_store=order.max_store,
            monitor=order.monitor,
            nodes=order.nodes,
        )
        if order.has_tls:
            has_ca = order.self_signed or (order.tls is not None and order.tls.ca is not None)
            ca = there / CA if has_ca else None
            tls = ServerTls(there / f"{name}.pem", there / f"{name}.key", ca, order.verify)
            plan = replace(plan, tls=tls)
        file = target / f"{name}.conf"
        file.touch(mode=0o600)
        file.write_text(server_text(plan, table, public), encoding="utf-8")
        if tested:
            _test(file)
        written.append(file)
    return written


def _address(order: Order) -> str:
    """Where the server listens: on the loopback, where nobody else is to reach it."""
    hosts = {*order.hosts, *(node.host for node in order.nodes)}
    return "127.0.0.1" if hosts <= {"127.0.0.1", "localhost"} else "0.0.0.0"  # noqa: S104


def _test(file: Path) -> None:
    """Let the server itself read a file.

    Raises:
        ConfigError: it refuses it.
    """
    done = subprocess.run(
        [str(server_binary()), "-t", "-c", str(file)],
        check=False,
        capture_output=True,
        text=True,
        timeout=_TEST_S,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip())[-600:]
        raise ConfigError(f"nats-server does not accept the file for it: {said}")
