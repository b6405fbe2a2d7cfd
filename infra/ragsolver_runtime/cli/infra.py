"""`ragsolver infra`: what a bus for several hosts needs, written and made."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path, PurePath

import click

from ragsolver_runtime.access.certificates import CA_KEY
from ragsolver_runtime.access.credentials import OPERATOR
from ragsolver_runtime.access.server_file import Node
from ragsolver_runtime.access.table import access_table
from ragsolver_runtime.access.writing import Order, OwnTls, Written, write_access
from ragsolver_runtime.bus_session import running_url
from ragsolver_runtime.cli.options import (
    bus_options,
    bus_settings,
    examples,
    json_option,
    set_option,
    workspace_of,
)
from ragsolver_runtime.connect import connect
from ragsolver_runtime.provisioning import make_ready
from ragsolver_runtime.roles import load_role, worker_roles

_GIB = 1024**3


@click.group()
def infra() -> None:
    """Set up a bus for several hosts: its server, its users, its streams."""


@infra.command(
    "nats-config",
    epilog=examples(
        "ragsolver infra nats-config --out bus --host bus.example --tls self-signed",
        "ragsolver infra nats-config --out bus --host bus.example \\",
        "    --tls-cert fullchain.pem --tls-key privkey.pem",
        "ragsolver infra nats-config --out bus --tls self-signed --cluster-node n1=10.0.0.1 \\",
        "    --cluster-node n2=10.0.0.2 --cluster-node n3=10.0.0.3",
        "ragsolver infra nats-config --out bus --host bus.example --tls self-signed \\",
        "    --rotate verifier",
        "nats-server -c bus/server/server.conf",
    ),
)
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of what is written: server/, credentials/ and the key of the CA.",
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    help="Name or address by which clients reach the server.  [default: 127.0.0.1]",
)
@click.option("--port", type=click.IntRange(1, 65535), default=4222, show_default=True)
@click.option(
    "--auth",
    type=click.Choice(["nkeys", "passwords"]),
    default="nkeys",
    show_default=True,
    help="How users prove who they are. The server's file holds public keys or hashes only.",
)
@click.option(
    "--tls",
    type=click.Choice(["self-signed", "off"]),
    help="Make a CA and certificates for the hosts, or do without TLS.",
)
@click.option("--tls-cert", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option("--tls-key", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option(
    "--tls-ca",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="CA of your certificates, where it is not one that systems know.",
)
@click.option("--tls-verify", is_flag=True, help="Clients must show a certificate, too.")
@click.option(
    "--tls-days", type=int, default=825, show_default=True, help="Validity of what is made."
)
@click.option(
    "--cluster-node",
    "nodes",
    multiple=True,
    metavar="NAME=HOST[:PORT]",
    help="A server of a cluster; PORT is for the other servers.  [default: 6222]",
)
@click.option("--store", help="Folder of the streams.  [default: server/jetstream]")
@click.option("--store-gib", type=click.IntRange(min=1), default=8, show_default=True)
@click.option(
    "--there",
    help="The folder server/, as the server finds it, for example in a container.",
)
@click.option("--monitor", default="", metavar="HOST:PORT", help="Also serve /healthz, /varz, …")
@click.option("--keep", is_flag=True, help="Leave secrets and CA that are there as they are.")
@click.option(
    "--rotate", multiple=True, metavar="ROLE", help="Like --keep, with a new secret for ROLE."
)
@click.option("--force", is_flag=True, help="Replace what is there, secrets as well.")
@json_option
def nats_config(
    out: Path,
    hosts: tuple[str, ...],
    port: int,
    auth: str,
    tls: str | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    tls_ca: Path | None,
    tls_days: int,
    nodes: tuple[str, ...],
    store: str | None,
    store_gib: int,
    there: str | None,
    monitor: str,
    rotate: tuple[str, ...],
    *,
    tls_verify: bool,
    keep: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Write the file of a NATS server with one user per role, and the users' credentials.

    Every role may do what it needs and nothing else; docs/howto/secure-the-bus.md lists it. The
    written files are tested by nats-server itself. No secret is printed.
    """
    found = _nodes(nodes)
    order = Order(
        folder=out,
        hosts=hosts or (() if found else ("127.0.0.1",)),
        kind="passwords" if auth == "passwords" else "nkeys",
        tls=_own_tls(tls, tls_cert, tls_key, tls_ca),
        self_signed=tls == "self-signed",
        verify=tls_verify,
        port=port,
        nodes=found,
        store=PurePath(store) if store else None,
        there=PurePath(there) if there else None,
        max_store=store_gib * _GIB,
        monitor=monitor,
        days=tls_days,
        keep=keep or bool(rotate),
        rotate=rotate,
        force=force,
    )
    _sensible(order)
    _tell(order, write_access(order, access_table()), as_json=as_json)


def _own_tls(
    tls: str | None, cert: Path | None, key: Path | None, ca: Path | None
) -> OwnTls | None:
    if cert is not None and key is not None and tls is None:
        return OwnTls(cert, key, ca)
    if cert is not None or key is not None or ca is not None:
        raise click.UsageError("--tls-cert and --tls-key go together, and without --tls")
    if tls is None:
        raise click.UsageError(
            "say how the traffic is protected: --tls self-signed, or --tls-cert and --tls-key, "
            "or --tls off where nobody can listen"
        )
    return None


def _sensible(order: Order) -> None:
    has_ca = order.self_signed or (order.tls is not None and order.tls.ca is not None)
    if order.verify and not has_ca:
        raise click.UsageError("--tls-verify needs the CA of the clients: --tls-ca")
    if order.nodes and not has_ca:
        raise click.UsageError(
            "servers of a cluster know each other by their certificates: give --tls self-signed, "
            "or --tls-cert, --tls-key and --tls-ca"
        )


def _nodes(flags: Sequence[str]) -> tuple[Node, ...]:
    found = []
    for flag in flags:
        name, _, where = flag.partition("=")
        host, _, port = where.partition(":")
        if not name or not host or not (port or "6222").isdecimal():
            raise click.UsageError(f"--cluster-node {flag}: write NAME=HOST or NAME=HOST:PORT")
        found.append(Node(name, host, int(port or 6222)))
    if len({node.name for node in found}) != len(found):
        raise click.UsageError("--cluster-node: two servers have the same name")
    return tuple(found)


def _tell(order: Order, written: Written, *, as_json: bool) -> None:
    if as_json:
        said = {
            "servers": [str(file) for file in written.servers],
            "credentials": {role: str(file) for role, file in written.credentials.items()},
            "urls": list(written.urls),
        }
        click.echo(json.dumps(said))
        return
    for file in written.servers:
        click.echo(f"server       {file}   (nats-server -c {file})")
    for role, file in written.credentials.items():
        click.echo(f"credentials  {file}   (role {role})")
    if order.self_signed:
        click.echo(f"CA           {order.folder / CA_KEY}   signs certificates; on no server")
    operator = written.credentials[OPERATOR]
    click.echo(f"done; start the server, then: ragsolver infra provision --creds {operator}")


@infra.command(
    "provision",
    epilog=examples(
        "ragsolver infra provision --creds bus/credentials/operator.toml",
        "ragsolver infra provision --nats nats://10.0.0.5:4222",
        "ragsolver infra provision --set bus.events_mib=8192",
    ),
)
@bus_options
@set_option
@json_option
def provision_command(
    nats_url: str | None, data: Path | None, settings: tuple[str, ...], *, as_json: bool
) -> None:
    """Make the streams and consumers of a bus, or compare those that are there.

    On a bus with users this is the operator's, once, before the first worker starts, and again
    after an upgrade. A stream that is smaller than the [bus] settings say is made larger.
    """
    made = asyncio.run(_provision(nats_url, data, settings))
    if as_json:
        click.echo(json.dumps({"workers": made}))
    else:
        click.echo(f"streams and the consumers of {', '.join(made)} are as declared")


async def _provision(
    nats_url: str | None, data: Path | None, settings: tuple[str, ...]
) -> list[str]:
    table = bus_settings(settings)
    url = running_url(nats_url, workspace_of(data))
    app = table.app(url, (OPERATOR,))
    specs = [load_role(role) for role in worker_roles()]
    client = await connect(app.bus, "cli/infra")
    try:
        await make_ready(client, app, specs, grow=True)
    finally:
        await client.close()
    return [spec.role for spec in specs]
