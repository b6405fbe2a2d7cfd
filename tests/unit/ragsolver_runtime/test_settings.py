import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.settings import BusTable, bus_table
from ragsolver_runtime.streams import StreamSettings
from ragsolver_runtime.valve import ValveSettings


def test_the_defaults_are_the_declared_ones():
    assert BusTable().app("nats://x").streams == StreamSettings()


def test_the_table_reaches_server_streams_and_processes(tmp_path):
    table = bus_table(
        {
            "replicas": 3,
            "events_mib": 10,
            "drain_s": 1,
            "waiting_most": 9,
            "waiting_fewest": 5,
            "sync_interval": "always",
            "store_mib": 20,
        },
        "w.toml",
    )
    app = table.app("nats://x:1")
    assert app.bus.url == "nats://x:1"
    assert (app.streams.replicas, app.streams.events_max_bytes) == (3, 10 * 1024**2)
    assert app.drain_s == 1
    assert app.valve == ValveSettings(most=9, fewest=5)
    server = table.server(tmp_path, port=4)
    assert (server.port, server.sync_interval, server.max_file_store) == (
        4,
        "always",
        20 * 1024**2,
    )


def test_an_unknown_key_is_named_with_its_table():
    with pytest.raises(ConfigError, match=r"w\.toml \[bus\].*replica'"):
        bus_table({"replica": 3}, "w.toml")


def test_new_problems_are_taken_again_below_the_mark_at_which_they_wait():
    with pytest.raises(ConfigError, match="waiting_fewest is 128, above waiting_most, 9"):
        bus_table({"waiting_most": 9}, "w.toml")
    assert bus_table({"waiting_most": 0}, "w.toml").app("nats://x").valve.most == 0


def test_the_streams_fit_the_store_by_default():
    table = BusTable()
    assert table.events_mib + table.blobs_mib + table.input_mib < table.store_mib
