"""Writes the traces of whole runs anew: `python tests/golden/update_run_traces.py`.

One run of the simulated workers, kept in every form that a trace ever had. `v1.jsonl` has lines
without digests, as exports wrote them before the chain; `v0.jsonl` moreover has candidates of
event version 0. Both stay as they are unless the simulated workers change: they stand for files
that people have.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from ragsolver_runtime.connect import connect
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.streams import provision
from ragsolver_runtime.testing import app_settings, isolated_server
from suites.hosted_workers import export, hosted, solve

RUNS = Path(__file__).parent / "runs"
STATEMENTS = ("True", "1 = 2", "(0 : ℝ) = 0")


def without_chain(line: dict[str, Any]) -> dict[str, Any]:
    """A line as version 1 wrote it."""
    kept = {key: value for key, value in line.items() if key not in {"previous", "digest"}}
    return kept | {"trace": 1}


def of_version_0(line: dict[str, Any]) -> dict[str, Any]:
    """A line whose candidate is of event version 0: bare proof, no batches."""
    event = line["event"]
    if event["type"] != "ragsolver.candidate_proposed.v1":
        return line
    data = {key: value for key, value in event["data"].items() if key != "text"}
    data["proof"] = event["data"]["text"]["proof"]
    old = event | {
        "type": "ragsolver.candidate_proposed.v0",
        "dataschema": "v0/candidate_proposed.schema.json",
        "data": data,
    }
    return line | {"event": old}


async def record(path: Path) -> None:
    """Solve the statements on a real server and export the run."""
    async with isolated_server() as server:
        settings = app_settings(server.url)
        client = await connect(settings.bus, "golden")
        try:
            await provision(client.jetstream(timeout=5), settings.streams)
            bus = SimpleNamespace(
                client=client, publisher=Publisher(client), reader=EventReader(client)
            )
            async with hosted(settings):
                await solve(bus, "golden", STATEMENTS)
            await export(bus.reader, "golden", path)
        finally:
            await client.close()


def main() -> None:
    """Record one run and write it in every form."""
    RUNS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "run.jsonl"
        asyncio.run(record(fresh))
        text = fresh.read_text(encoding="utf-8")
    (RUNS / "v2.jsonl").write_text(text, encoding="utf-8")
    lines = [without_chain(json.loads(line)) for line in text.splitlines()[:-1]]
    for name, form in (("v1", lines), ("v0", [of_version_0(line) for line in lines])):
        written = [json.dumps(line, ensure_ascii=False) for line in form]
        (RUNS / f"{name}.jsonl").write_text("\n".join(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
