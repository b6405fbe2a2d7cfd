"""The command line on a machine that has nothing but the runtime: no worker, no data folder."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from ragsolver_runtime.testing import start_run
from suites.hosted_workers import hosted, solve

pytestmark = pytest.mark.connected

ABSENT = (
    "anthropic",
    "jinja2",
    "lancedb",
    "lean_interact",
    "matplotlib",
    "opentelemetry",
    "prometheus_client",
    "ragsolver_agents",
    "ragsolver_rag",
    "ragsolver_verifier",
    "sentence_transformers",
    "starlette",
    "torch",
    "uvicorn",
)
"""What no extra but `runtime` brings."""

PROGRAM = f"""
import sys
for name in {ABSENT!r}:
    sys.modules[name] = None
from ragsolver_runtime.cli.main import main
main()
"""


async def elsewhere(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Run a command in an empty folder with an empty home; code, output and messages."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        PROGRAM,
        *arguments,
        env={**env, "HOME": str(folder)},
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_a_run_is_watched_reported_exported_and_cancelled_from_elsewhere(bus, tmp_path):
    folder, nats = tmp_path / "elsewhere", ("--nats", bus.server.url)
    folder.mkdir()
    async with hosted(bus.settings):
        await solve(bus, "r2", ("True", "1 = 2"))
    await start_run(bus.publisher, "r3")
    await bus.submit("open")
    (watched, reported, exported, cancelled) = await asyncio.gather(
        elsewhere(folder, "watch", "r2", *nats, "--json"),
        elsewhere(folder, "report", "r2", *nats, "--json"),
        elsewhere(folder, "trace", "export", "r2", *nats),
        elsewhere(folder, "cancel", "r1", "open", *nats),
    )
    *ended, last = map(json.loads, watched[1].splitlines())
    assert [item["ended"]["outcome"] for item in ended] == ["solved", "not_proved"]
    assert last == {"run": "r2", "outcomes": {"solved": 1, "not_proved": 1}}
    assert reported[0] == 1, reported[2]
    report = json.loads(reported[1])
    assert {p["name"]: p["outcome"] for p in report["problems"]} == {
        "p1": "solved",
        "p2": "not_proved",
    }
    assert exported[0] == 0, exported[2]
    assert json.loads(exported[1].splitlines()[0])["event"]["subject"] == "r2/_run"
    assert cancelled == (0, "cancelled open\n", "")
    assert list(folder.iterdir()) == []
