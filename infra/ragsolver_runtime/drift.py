"""What differs between the declared table of streams and consumers and the server."""

from collections.abc import Sequence
from dataclasses import dataclass

from nats.js import api

from ragsolver_runtime.errors import DriftError

_SIZE = "max_bytes"


@dataclass(frozen=True)
class Difference:
    """One field that is not as declared."""

    owner: str
    """`stream NAME` or `consumer STREAM/NAME`."""
    field: str
    expected: object
    actual: object

    def __str__(self) -> str:
        return f"{self.owner}: {self.field} is {self.actual!r}, declared {self.expected!r}"


def drifted(differences: Sequence[Difference]) -> None:
    """Refuse a bus that differs.

    Raises:
        DriftError: something does.
    """
    if not differences:
        return
    listed = "\n  ".join(str(difference) for difference in differences)
    raise DriftError(
        f"the bus differs from what this version declares:\n  {listed}\n"
        "Give this process the settings that the bus was made with, or change the stream or "
        "delete the consumer with `nats stream edit` / `nats consumer rm`, or start from a "
        "new data folder (`trace export` first, to keep the runs). A stream that is only to be "
        "larger is enlarged by `ragsolver infra provision`"
    )


def compare_stream(declared: api.StreamConfig, info: api.StreamInfo) -> list[Difference]:
    """What differs of a stream. One that holds more than declared loses nothing: no difference."""
    found = compare(f"stream {declared.name}", declared.as_dict(), info.config.as_dict())
    return [difference for difference in found if not _is_larger(difference)]


def is_smaller(difference: Difference) -> bool:
    """Whether the stream is only to be larger, which changes nothing that it holds."""
    return difference.field == _SIZE and not _is_larger(difference)


def _is_larger(difference: Difference) -> bool:
    if difference.field != _SIZE or not isinstance(difference.actual, int):
        return False
    wanted = difference.expected
    return difference.actual < 0 or (isinstance(wanted, int) and 0 < wanted < difference.actual)


def compare_consumer(
    stream: str, declared: api.ConsumerConfig, info: api.ConsumerInfo
) -> list[Difference]:
    """What differs of a consumer."""
    actual = info.config.as_dict() if info.config is not None else {}
    # The server keeps a single filter in the older field.
    if "filter_subject" in actual and "filter_subjects" not in actual:
        actual["filter_subjects"] = [actual["filter_subject"]]
    return compare(f"consumer {stream}/{declared.durable_name}", declared.as_dict(), actual)


def compare(
    owner: str, declared: dict[str, object], actual: dict[str, object]
) -> list[Difference]:
    """Fields that are declared and differ on the server; what is not declared is not compared."""
    differences = []
    for field, expected in declared.items():
        if expected is None:
            continue
        found = actual.get(field)
        same = (
            sorted(map(str, expected)) == sorted(map(str, found))
            if isinstance(expected, list) and isinstance(found, list)
            else expected == found or (not expected and not found)
        )
        if not same:
            differences.append(Difference(owner, field, expected, found))
    return differences
