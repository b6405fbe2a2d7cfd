"""The `[telemetry]` table of the worker settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragsolver_runtime.config import settings_as

TABLE = "telemetry"
INSTALL = "pip install 'ragsolver[telemetry]'"


@dataclass(frozen=True)
class TelemetrySettings:
    """What a process tells about itself; nothing by default."""

    metrics_port: int | None = None
    """Port of `/metrics` and `/healthz`; 0: any free one."""
    metrics_host: str = "127.0.0.1"
    """Address of the port; `0.0.0.0` lets other machines in."""
    metrics_socket: str = ""
    """Socket file of the same pages instead, for the process that started this one."""
    otlp_endpoint: str = ""
    """Base URL of an OTLP/HTTP collector; empty: OTEL_EXPORTER_OTLP_ENDPOINT, else no traces."""

    @property
    def counts(self) -> bool:
        """Whether anybody can ask for numbers."""
        return self.metrics_port is not None or bool(self.metrics_socket)


def telemetry_settings(tables: Mapping[str, Any], **flags: Any) -> TelemetrySettings:
    """The `[telemetry]` table, outranked by the flags that are given.

    Args:
        tables: worker settings by table.
        flags: values by key; None is not given.

    Raises:
        ConfigError: unknown key or bad value.
    """
    given = {key: value for key, value in flags.items() if value is not None}
    values = {**tables.get(TABLE, {}), **given}
    return settings_as(TelemetrySettings, values, f"worker settings [{TABLE}]")
