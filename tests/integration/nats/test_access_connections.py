"""Who is not let in on a bus with users, whom it does not trust, and what is then said."""

import asyncio
import shutil
import signal
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ragsolver_runtime.access.certificates import Certificate, make_ca, make_certificate
from ragsolver_runtime.access.writing import Order, write_access
from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.errors import BusLostError, RefusedError
from ragsolver_runtime.testing import until
from suites.secured_bus import SecuredBus, connected_as

pytestmark = [
    pytest.mark.connected,
    pytest.mark.timeout(120),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on this machine"),
]


async def test_wrong_secrets_are_refused_within_seconds_with_what_to_do(secured: SecuredBus):
    other = "SUAKYRHVIOREXV7EUZTBHUHL7NUMHPMAS7QMDU3GTIUWEI5LDNOXD43IZY"
    for changes in ({"seed": other}, {"seed": "", "password": "wrong"}):
        with pytest.raises(RefusedError, match="refuses the credentials of role client"):
            await secured.client("client", **changes)


async def test_without_tls_or_with_another_ca_nothing_is_said_to_the_server(
    secured: SecuredBus, tmp_path: Path
):
    plain = secured.url.replace("tls://", "nats://")
    with pytest.raises(RefusedError, match=r"certificate of .* is not accepted"):
        await connect(BusSettings(plain, connect_timeout_s=5), "test")
    make_ca(tmp_path, 2)
    with pytest.raises(RefusedError, match=r"certificate of .* is not accepted"):
        await secured.client("client", ca=(tmp_path / "ca.pem").read_text())


async def test_an_expired_certificate_is_named(secured: SecuredBus):
    folder = secured.folder
    ca = Certificate(folder / "server" / "ca.pem", folder / "ca.key")
    expired = make_certificate(ca, folder, "expired", ["127.0.0.1"], -1)
    async with _tls_server(expired) as url:
        bus = replace(secured.app("client").bus, url=url)
        with pytest.raises(RefusedError, match="expired"):
            await connect(bus, "test")


async def test_a_server_without_tls_gets_no_secret(secured: SecuredBus):
    """Somebody in between who says that there is no TLS is not believed."""
    got = bytearray()

    async def _plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"server_id":"x","version":"2","max_payload":1,"proto":1}\r\n')
        got.extend(await reader.read(4096))
        writer.close()

    server = await asyncio.start_server(_plain, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    bus = replace(secured.app("client").bus, url=f"tls://127.0.0.1:{port}", connect_timeout_s=1)
    async with server:
        with pytest.raises((RefusedError, BusLostError)):
            await connect(bus, "test")
    assert b"CONNECT" not in got


async def test_a_rotated_secret_replaces_the_old_one_without_a_restart(secured: SecuredBus):
    old = secured.credentials("observer")
    before = await secured.client("observer")
    order = Order(
        secured.folder,
        ("127.0.0.1",),
        kind="passwords",
        self_signed=True,
        port=int(secured.url.rsplit(":", 1)[1]),
        keep=True,
        rotate=("observer",),
    )
    write_access(order, secured.table)
    secured.process.send_signal(signal.SIGHUP)
    await until(lambda: before.is_closed)
    assert secured.credentials("observer").password
    async with connected_as(secured, "observer"), connected_as(secured, "planner"):
        pass
    with pytest.raises(RefusedError, match="rotation"):
        await secured.client("observer", seed=old.seed, password="")


@asynccontextmanager
async def _tls_server(certificate: Certificate) -> AsyncIterator[str]:
    """Something that shows a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.certificate, certificate.key)
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"tls://127.0.0.1:{server.sockets[0].getsockname()[1]}"
