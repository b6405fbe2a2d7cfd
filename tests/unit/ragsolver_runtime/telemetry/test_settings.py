import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.telemetry.settings import TelemetrySettings, telemetry_settings


def test_nothing_is_told_by_default():
    told = telemetry_settings({})
    assert told == TelemetrySettings()
    assert not told.counts


def test_flags_outrank_the_table():
    tables = {"telemetry": {"metrics_port": 9100, "metrics_host": "0.0.0.0"}}  # noqa: S104
    told = telemetry_settings(tables, metrics_port=9200, metrics_host=None)
    assert (told.metrics_port, told.metrics_host) == (9200, "0.0.0.0")  # noqa: S104
    assert told.counts


def test_a_socket_counts_as_well():
    assert telemetry_settings({}, metrics_socket="one.sock").counts


def test_an_unknown_key_is_named():
    with pytest.raises(ConfigError, match="metric_port"):
        telemetry_settings({"telemetry": {"metric_port": 1}})
