import logging

import pytest

from ragsolver_runtime.access.credentials import Credentials
from ragsolver_runtime.access.refusals import Refusals
from ragsolver_runtime.connect import BusSettings, connection_options, settle
from ragsolver_runtime.errors import ConfigError
from suites.fake_bus import FakeClient


def options(**changes):
    refusals = Refusals("verifier/one", "verifier")
    return connection_options(BusSettings("nats://x:1"), "verifier/one", refusals, **changes)


def test_a_connection_never_gives_up_and_has_a_name():
    made = options()
    assert made["max_reconnect_attempts"] == -1
    assert made["name"] == "verifier/one"
    assert made["servers"] == ["nats://x:1"]
    assert "user" not in made


def test_the_servers_of_a_cluster_are_tried_in_turn():
    settings = BusSettings("nats://a:1, nats://b:2,nats://c:3,")
    made = connection_options(settings, "verifier/one", Refusals("verifier/one", ""))
    assert made["servers"] == ["nats://a:1", "nats://b:2", "nats://c:3"]


def test_a_role_has_its_own_inbox_its_key_and_believes_its_ca_only():
    known = Credentials("verifier", seed="secret", tls_first=True, servers=("tls://x:1",))
    settings = BusSettings("tls://x:1", credentials=known)
    made = connection_options(settings, "verifier/one", Refusals("verifier/one", "verifier"))
    assert made["inbox_prefix"] == "_INBOX_verifier"
    assert made["nkeys_seed_str"] == "secret"
    assert made["tls_handshake_first"]
    assert "secret" not in repr(settings)


def test_a_password_is_that_of_the_role():
    settings = BusSettings("nats://x:1", credentials=Credentials("planner", password="secret"))
    made = connection_options(settings, "planner/one", Refusals("planner/one", "planner"))
    assert (made["user"], made["password"]) == ("planner", "secret")
    assert "tls" not in made


def test_a_password_in_a_url_is_not_shown():
    settings = BusSettings("nats://me:secret@a:1,nats://b:2")
    assert settings.shown == "nats://a:1,nats://b:2"
    assert "secret" not in repr(settings)


def test_a_ca_that_cannot_be_read_is_named(tmp_path):
    settings = BusSettings("tls://x:1", ca=tmp_path / "none.pem")
    with pytest.raises(ConfigError, match=r"none\.pem"):
        connection_options(settings, "x", Refusals("x", ""))


async def test_an_error_is_an_alarm_with_the_connections_name(caplog):
    await options()["error_cb"](PermissionError("publish violation"))
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "verifier/one" in record.getMessage()
    assert "publish violation" in record.getMessage()


async def test_a_connection_closed_for_good_calls_back():
    called = []
    await options(on_closed=lambda: called.append(True))["closed_cb"]()
    await options()["closed_cb"]()
    assert called == [True]


async def test_losing_it_is_noted_and_its_return_is_a_warning(caplog):
    caplog.set_level(logging.INFO)
    await options()["disconnected_cb"]()
    await options()["reconnected_cb"]()
    assert [record.levelno for record in caplog.records] == [logging.INFO, logging.WARNING]


async def test_settling_waits_for_a_message_to_ourselves_and_leaves_nothing():
    client = FakeClient()
    await settle(client)
    assert [subject for subject, _ in client.published] == ["_INBOX.1"]
    assert client.subscriptions == []
