"""The command line with simulated workers: an installation of its own beside the real one.

A folder with the metadata of a distribution named `ragsolver` goes first on the path of the
child processes, so its entry points stand in for the real ones.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
ROLES = ("planner", "retriever", "generator", "formalizer", "verifier", "critic")
_WORKERS = "suites.simulated_workers"


def _given() -> list[str]:
    """Where this process itself finds the product, if it was told."""
    return [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]


@dataclass
class House:
    """A simulated installation with a data folder."""

    root: Path
    work_s: float = 0.0
    env: dict[str, str] = field(default_factory=dict)
    real: dict[str, str] = field(default_factory=dict)
    """Entry points of the roles that are not simulated, or simulated in another way."""

    def __post_init__(self) -> None:
        metadata = self.root / "site" / "ragsolver-0.1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: ragsolver\nVersion: 0\n")
        lines = ["[ragsolver.workers]"]
        simulated = {role: f"{_WORKERS}:{role.upper()}" for role in ROLES}
        lines += [f"{role} = {where}" for role, where in {**simulated, **self.real}.items()]
        lines += ["[ragsolver.recheck]", f"lean = {_WORKERS}:recheck"]
        lines += ["[ragsolver.doctor]", f"lean = {_WORKERS}:findings"]
        (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
        (self.root / "plain.toml").write_text('name = "plain"\n')
        self.env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(
                [str(metadata.parent), str(TESTS), os.environ.get("PYTHONPATH", "")]
            ).rstrip(os.pathsep),
            "RAGSOLVER_DATA": str(self.data),
            "RAGSOLVER_CACHE": str(self.root / "cache"),
            "SIMULATED_WORK_S": str(self.work_s),
        }

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.root / "data"

    @property
    def config(self) -> tuple[str, str]:
        """The option that names the run configuration."""
        return ("--config", str(self.root / "plain.toml"))

    def command(self, *arguments: str) -> list[str]:
        """A command line of this installation."""
        return [sys.executable, "-m", "ragsolver_runtime.cli", *arguments]

    def run(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run a command to its end."""
        return subprocess.run(
            self.command(*arguments), env=self.env, input=stdin, capture_output=True, timeout=120
        )

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a command in a session of its own."""
        return subprocess.Popen(
            self.command(*arguments),
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def problems(self, *statements: str, name: str = "problems.jsonl") -> Path:
        """A problem file with one problem per statement, named p1, p2, …"""
        path = self.root / name
        lines = [
            json.dumps({"name": f"p{n}", "formal_statement": f"theorem p{n} : {s} := by sorry"})
            for n, s in enumerate(statements, start=1)
        ]
        path.write_text("\n".join(lines) + "\n")
        return path


def outcomes(report: dict[str, Any]) -> dict[str, str]:
    """Outcome by problem of a JSON report."""
    return {p["name"]: p["outcome"] for p in report["problems"]}


def wait_for(condition: Callable[[], Any], timeout_s: float = 40.0) -> Any:
    """Wait until the condition gives something."""
    deadline = time.monotonic() + timeout_s
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
    return found


def kill(pids: Sequence[int]) -> None:
    """`kill -9` each of our own processes."""
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
