"""The file of a NATS server for a bus with users, in the server's own language.

It holds no secret by which anybody could log in: public keys, or hashes of passwords.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from ragsolver_runtime.access.table import Access

_RESPONSES = 'allow_responses: { max: 1, expires: "1h" }'


@dataclass(frozen=True)
class ServerTls:
    """Files of the server's certificate, as the server finds them."""

    certificate: PurePath
    key: PurePath
    ca: PurePath | None = None
    """Who signed the certificates of clients and of the cluster's other servers."""
    verify: bool = False
    """Whether every client must show a certificate, too."""


@dataclass(frozen=True)
class Node:
    """One server of a cluster."""

    name: str
    host: str
    port: int = 6222
    """Where the other servers reach it."""


@dataclass(frozen=True)
class ServerPlan:
    """What one server's file says; sizes in bytes.

    Attributes:
        name: of the server.
        listen: `host:port` for clients.
        store: folder of its streams.
        max_store: upper bound of that folder.
        tls: none for a server without TLS.
        monitor: `host:port` of its monitoring page, open to whoever reaches it; empty for none.
        nodes: every server of the cluster, this one among them; empty for a single server.
        cluster: name of the cluster.
    """

    name: str
    listen: str
    store: PurePath
    max_store: int
    tls: ServerTls | None = None
    monitor: str = ""
    nodes: Sequence[Node] = ()
    cluster: str = "ragsolver"


def server_text(plan: ServerPlan, table: Mapping[str, Access], public: Mapping[str, str]) -> str:
    """The server's file.

    Args:
        plan: what kind of server.
        table: who may do what.
        public: public key or hash of the password, by role.
    """
    lines = [
        "# A NATS server for RagSolver, written by `ragsolver infra nats-config`.",
        "# Users may do what the table of the product's access says, and nothing else.",
        f"server_name: {_text(plan.name)}",
        f"listen: {_text(plan.listen)}",
        "max_payload: 1MB",
        "max_pending: 64MB",
    ]
    if plan.monitor:
        lines += ["# Without users: keep it from strangers.", f"http: {_text(plan.monitor)}"]
    lines += [
        "",
        "jetstream {",
        f"  store_dir: {_text(str(plan.store))}",
        f"  max_file_store: {plan.max_store}",
        "  max_memory_store: 64MB",
        "}",
    ]
    if plan.tls is not None:
        lines += ["", *_tls(plan.tls)]
    if plan.nodes:
        lines += ["", *_cluster(plan)]
    lines += ["", "authorization {", "  timeout: 5", "  users: ["]
    for role, access in table.items():
        lines += _user(access, public[role])
    return "\n".join([*lines, "  ]", "}"]) + "\n"


def _tls(tls: ServerTls) -> list[str]:
    lines = [
        "tls {",
        f"  cert_file: {_text(str(tls.certificate))}",
        f"  key_file: {_text(str(tls.key))}",
        '  min_version: "1.2"',
        "  # A client may begin with TLS at once: then nobody in between can talk it out of it.",
        '  handshake_first: "200ms"',
        "  timeout: 5",
    ]
    if tls.ca is not None:
        lines.append(f"  ca_file: {_text(str(tls.ca))}")
    if tls.verify:
        lines.append("  verify: true")
    return [*lines, "}"]


def _cluster(plan: ServerPlan) -> list[str]:
    here = next(node for node in plan.nodes if node.name == plan.name)
    others = [node for node in plan.nodes if node.name != plan.name]
    routes = ", ".join(_text(f"nats-route://{node.host}:{node.port}") for node in others)
    lines = [
        "cluster {",
        f"  name: {_text(plan.cluster)}",
        f"  listen: {_text(f'0.0.0.0:{here.port}')}",
        f"  routes: [{routes}]",
    ]
    if plan.tls is not None:
        lines += [
            "  # Servers know each other by their certificates.",
            "  tls {",
            f"    cert_file: {_text(str(plan.tls.certificate))}",
            f"    key_file: {_text(str(plan.tls.key))}",
            f"    ca_file: {_text(str(plan.tls.ca))}",
            "    verify: true",
            "    timeout: 5",
            "  }",
        ]
    return [*lines, "}"]


def _user(access: Access, public: str) -> list[str]:
    is_key = not public.startswith("$2")
    who = f"nkey: {public}" if is_key else f"user: {_text(access.role)}, password: {_text(public)}"
    lines = [
        f"    # {access.role}: {access.purpose}",
        "    {",
        f"      {who}",
        "      permissions: {",
        *_allowed("publish", access.publish_allowed),
        *_allowed("subscribe", access.subscribe_allowed),
    ]
    if access.responds:
        lines.append(f"        {_RESPONSES}")
    return [*lines, "      }", "    }"]


def _allowed(verb: str, subjects: Iterable[str]) -> list[str]:
    listed = [f"          {_text(subject)}" for subject in subjects]
    return [f"        {verb}: {{ allow: [", *listed, "        ] }"]


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
