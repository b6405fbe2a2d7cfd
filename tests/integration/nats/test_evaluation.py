"""Two configurations on one real bus with one set of simulated workers."""

import json
import subprocess
from pathlib import Path

import pytest

from suites.simulated_house import House

pytestmark = [pytest.mark.connected, pytest.mark.timeout(120)]


def evaluate(house: House, *more: str) -> subprocess.CompletedProcess[bytes]:
    return house.run("eval", *more, "--no-plots", "--json")


def test_evaluation_then_the_same_report_from_its_traces(tmp_path: Path) -> None:
    house = House(tmp_path)
    (tmp_path / "no_rag.toml").write_text(
        'name = "no_rag"\n[retrieval]\nenabled = false\nerror_rounds = 0\n'
    )
    file = house.problems("True", "1 = 2", "(0 : ℝ) = 0")
    configs = f"{tmp_path / 'plain.toml'},{tmp_path / 'no_rag.toml'}"
    out = tmp_path / "out"
    done = evaluate(
        house, "solve", str(file), "--configs", configs, "--repetitions", "2", "-o", str(out)
    )
    assert done.returncode == 0, done.stderr.decode()
    report = json.loads(done.stdout)
    plain, no_rag = report["configurations"]
    for one in (plain, no_rag):
        assert one["outcomes"] == {"not_proved": 2, "refused": 2, "solved": 2}
        assert one["pass_at"] == {"1": 0.5, "2": 0.5}
    assert report["comparisons"][0]["pairs"] == 2
    sources = {
        json.loads(line)["event"]["source"]
        for path in (out / "traces").glob("*.jsonl")
        for line in path.read_text().splitlines()[:-1]
    }
    verifiers = {source for source in sources if source.startswith("verifier/")}
    assert len(verifiers) == 1, "one set of workers does every run"

    again = tmp_path / "again"
    traces = sorted(str(path) for path in (out / "traces").glob("*.jsonl"))
    made = evaluate(house, "report", *traces, "-o", str(again))
    assert made.returncode == 0, made.stderr.decode()
    for path in again.iterdir():
        assert path.read_bytes() == (out / path.name).read_bytes(), path.name
    resumed = evaluate(house, "solve", "--resume", "-o", str(out))
    assert resumed.stdout == done.stdout, "every run is finished: nothing runs again"
