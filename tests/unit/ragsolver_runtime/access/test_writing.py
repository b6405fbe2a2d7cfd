import shutil
from pathlib import PurePosixPath

import pytest

from ragsolver_runtime.access.credentials import read_credentials
from ragsolver_runtime.access.server_file import Node
from ragsolver_runtime.access.table import Access, access_table
from ragsolver_runtime.access.writing import Order, write_access
from ragsolver_runtime.errors import ConfigError

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here")
TABLE = access_table([])


def test_files_are_written_for_their_owner_only_and_hold_no_seed_for_the_server(tmp_path):
    written = write_access(Order(tmp_path / "bus", ("127.0.0.1",)), TABLE)
    (server,) = written.servers
    text = server.read_text()
    for role, file in written.credentials.items():
        known = read_credentials(file)
        assert known.role == role
        assert known.servers == ("nats://127.0.0.1:4222",)
        assert file.stat().st_mode & 0o077 == 0
        assert known.seed not in text
    assert 'listen: "127.0.0.1:4222"' in text


def test_secrets_are_kept_rotated_or_replaced_as_asked(tmp_path):
    def seeds(**changes):
        order = Order(tmp_path / "bus", ("10.0.0.1",), **changes)
        written = write_access(order, TABLE)
        return {role: read_credentials(file).seed for role, file in written.credentials.items()}

    first = seeds()
    with pytest.raises(ConfigError, match="--keep"):
        seeds()
    assert seeds(keep=True) == first
    rotated = seeds(keep=True, rotate=("client",))
    assert {role for role in first if first[role] != rotated[role]} == {"client"}
    assert not set(seeds(force=True).values()) & set(first.values())
    with pytest.raises(ConfigError, match="no role 'poet' to rotate"):
        seeds(keep=True, rotate=("poet",))


@needs_openssl
def test_a_cluster_has_a_file_and_a_certificate_for_each_server(tmp_path):
    nodes = (Node("n1", "127.0.0.1", 6001), Node("n2", "127.0.0.1", 6002))
    order = Order(tmp_path / "bus", (), self_signed=True, verify=True, nodes=nodes)
    written = write_access(order, TABLE)
    assert [file.name for file in written.servers] == ["n1.conf", "n2.conf"]
    assert (tmp_path / "bus/server/n2.pem").is_file()
    known = read_credentials(written.credentials["client"])
    assert known.tls() is not None
    assert not list((tmp_path / "bus/server").glob("ca.key"))


def test_where_the_server_finds_its_folder_may_be_elsewhere(tmp_path):
    order = Order(tmp_path / "bus", ("bus.example",), there=PurePosixPath("/etc/nats"))
    (server,) = write_access(order, TABLE).servers
    assert 'store_dir: "/etc/nats/jetstream"' in server.read_text()


def test_a_file_that_the_server_does_not_accept_changes_nothing(tmp_path):
    broken = {"a": Access("a", "b", publishes=("not a subject",))}
    with pytest.raises(ConfigError, match="nats-server does not accept"):
        write_access(Order(tmp_path / "bus", ("10.0.0.1",)), broken)
    assert list((tmp_path / "bus").iterdir()) == []
