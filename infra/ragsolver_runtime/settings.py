"""The `[bus]` table of the worker settings, and what it means for server and processes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragsolver_runtime.access.credentials import COMMAND_ROLES, Credentials, credentials_of
from ragsolver_runtime.config import settings_as
from ragsolver_runtime.connect import BusSettings
from ragsolver_runtime.process import AppSettings
from ragsolver_runtime.publish import PublishSettings
from ragsolver_runtime.server import ServerSettings
from ragsolver_runtime.settle import ConsumeSettings
from ragsolver_runtime.streams import StreamSettings
from ragsolver_runtime.valve import ValveSettings
from ragsolver_runtime.wire import CLAIM_CHECK_BYTES

URL_VARIABLE = "RAGSOLVER_BUS__URL"
CREDENTIALS_VARIABLE = "RAGSOLVER_BUS__CREDENTIALS"
"""Environment variables of the first two keys of the table."""

_MIB = 1024**2


@dataclass(frozen=True)
class BusTable:
    """The same on every process of one bus; sizes in MiB, times in seconds."""

    url: str = ""
    """The bus, where `--nats` does not say it."""
    credentials: str = ""
    """File of credentials, or a folder with one file per role."""
    ca: str = ""
    """PEM file of the CA of the servers' certificates, where no credentials name one."""
    replicas: int = 1
    """Copies of every stream: 1 on the embedded server, 3 in a cluster."""
    events_mib: int = 2048
    blobs_mib: int = 1024
    input_mib: int = 256
    recorded_mib: int = 512
    """Recorded answers of runs that are replayed."""
    store_mib: int = 8192
    """Upper bound of the embedded server's whole store."""
    sync_interval: str = "2m"
    """Embedded server: a duration, or `always` to survive a power cut (4 to 11 times slower)."""
    duplicate_window_s: float = 120.0
    publish_budget_s: float = 30.0
    """How long one publish is tried; longer than a server restart or a change of leader."""
    claim_check_bytes: int = CLAIM_CHECK_BYTES
    first_delay_s: float = 1.0
    """Delay before a failed delivery is tried again; doubles each time."""
    longest_delay_s: float = 60.0
    waiting_most: int = 256
    """No new problem is taken into work while more events wait for some worker; 0: no limit."""
    waiting_fewest: int = 128
    """New problems are taken again when no worker has more waiting."""
    drain_s: float = 5.0
    """What running work gets to finish after SIGTERM before it is handed back."""
    watchdog_s: float = 5.0

    def _credentials(self, roles: Sequence[str]) -> Credentials | None:
        if not self.credentials:
            return None
        return credentials_of(Path(self.credentials).expanduser(), roles)

    def __post_init__(self) -> None:
        if 0 < self.waiting_most < self.waiting_fewest:
            raise ValueError(
                f"waiting_fewest is {self.waiting_fewest}, above waiting_most, {self.waiting_most}"
            )

    def app(self, url: str, roles: Sequence[str] = COMMAND_ROLES) -> AppSettings:
        """Settings of one process on the bus at `url`.

        Args:
            url: the bus.
            roles: what the process may be on a bus with users.

        Raises:
            ConfigError: the credentials are missing, or another role's.
        """
        known = self._credentials(roles)
        ca = Path(self.ca).expanduser() if self.ca else None
        return AppSettings(
            bus=BusSettings(url=url, credentials=known, ca=ca),
            streams=StreamSettings(
                replicas=self.replicas,
                events_max_bytes=self.events_mib * _MIB,
                blobs_max_bytes=self.blobs_mib * _MIB,
                input_max_bytes=self.input_mib * _MIB,
                recorded_max_bytes=self.recorded_mib * _MIB,
                duplicate_window_s=self.duplicate_window_s,
            ),
            consume=ConsumeSettings(
                first_delay_s=self.first_delay_s, longest_delay_s=self.longest_delay_s
            ),
            publish=PublishSettings(
                budget_s=self.publish_budget_s, claim_check_bytes=self.claim_check_bytes
            ),
            valve=ValveSettings(most=self.waiting_most, fewest=self.waiting_fewest),
            watchdog_s=self.watchdog_s,
            drain_s=self.drain_s,
        )

    def server(self, data_dir: Path, port: int | None = None) -> ServerSettings:
        """Settings of the embedded server with its data in `data_dir`."""
        return ServerSettings(
            data_dir=data_dir,
            port=port,
            max_file_store=self.store_mib * _MIB,
            sync_interval=self.sync_interval,
        )


def bus_table(values: Mapping[str, Any], where: str) -> BusTable:
    """The `[bus]` table.

    Args:
        values: the table as loaded; empty for the defaults.
        where: file it comes from, for errors.

    Raises:
        ConfigError: unknown key or bad value.
    """
    return settings_as(BusTable, values, f"{where} [bus]")
