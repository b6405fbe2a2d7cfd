"""Trace files from recorded histories."""

import json
from pathlib import Path

from ragsolver_contracts.events import parse_event, subject_of

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "traces"


def trace_file(target: Path, history: Path) -> Path:
    """Write a history of bare events, one a line, as a trace of the first version."""
    lines = []
    for number, raw in enumerate(history.read_text(encoding="utf-8").splitlines(), 1):
        event = parse_event(raw)
        record = {
            "trace": 1,
            "seq": number,
            "subject": subject_of(event),
            "stored_at": event.time.isoformat(),
            "versions": {},
            "event": json.loads(raw),
        }
        lines.append(json.dumps(record, ensure_ascii=False))
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return target
