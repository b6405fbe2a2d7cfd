"""The ladder that lifts stored events of old versions to the current one, one step at a time.

Stored events are never rewritten. A step takes the whole event of version n and returns version
n+1; it may not look at anything but the event.
"""

import re
from collections.abc import Callable
from typing import Any

Step = Callable[[dict[str, Any]], dict[str, Any]]

_TYPE = re.compile(r"ragsolver\.(?P<name>[a-z_]+)\.v(?P<version>[0-9]+)")


def _candidate_proposed_v0_v1(event: dict[str, Any]) -> dict[str, Any]:
    """v0 carried `proof` bare and had no batches: every candidate was its own batch."""
    data = dict(event["data"])
    data["text"] = {"preamble": "", "proof": data.pop("proof")}
    data.setdefault("batch", data.get("candidate", 0))
    data.setdefault("closes_batch", True)
    data.setdefault("closes_attempt", False)
    return {**event, "data": data}


STEPS: dict[tuple[str, int], Step] = {
    ("candidate_proposed", 0): _candidate_proposed_v0_v1,
}
"""Step by event name and the version that it lifts from."""


def upcast(event: dict[str, Any]) -> dict[str, Any]:
    """The event, lifted as far as the ladder goes; an unknown type is returned unchanged."""
    while True:
        match = _TYPE.fullmatch(str(event.get("type", "")))
        if match is None or not isinstance(event.get("data"), dict):
            return event
        name, version = match["name"], int(match["version"])
        step = STEPS.get((name, version))
        if step is None:
            return event
        lifted = step(event)
        event = {
            **lifted,
            "type": f"ragsolver.{name}.v{version + 1}",
            "dataschema": f"v{version + 1}/{name}.schema.json",
        }
