"""Pictures of the web page for docs/images, from runs and reports that are there.

    ragsolver solve docs/demo/problems.jsonl --config full --data DATA
    ragsolver solve tests/golden/llm/problems.jsonl --data DATA \\
        --config tests/golden/llm/run.toml \\
        --set model.provider=scripted --set model.script=$PWD/tests/golden/llm/script.jsonl
    ragsolver eval solve docs/demo/problems.jsonl --configs full,no_rag,no_critic -o REPORT
    python tests/bench/shoot_web.py DATA REPORT docs/images
"""

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from suites.browser import browser, visiting

PROVED = "coprime_divisor"
SPLIT = "imo_1977"
WIDE, NARROW = (1280, 800), (390, 844)


@contextmanager
def serving(data: Path, reports: Path) -> Iterator[str]:
    """`ragsolver web` on the data folder; gives its URL."""
    command = [sys.executable, "-m", "ragsolver_runtime.cli", "web", "--port", "0"]
    command += ["--data", str(data), "--reports", str(reports)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        assert found is not None
        try:
            yield found.group()
        finally:
            process.terminate()


def asked(url: str, question: str) -> Any:
    """The answer to a question of the page."""
    with urllib.request.urlopen(f"{url}api/{question}", timeout=60) as reply:  # noqa: S310 - ours
        return json.load(reply)


def pictures(url: str) -> dict[str, tuple[str, tuple[int, int], bool]]:
    """Address, size and darkness by name."""
    while (state := asked(url, "state"))["bus"] is None:
        print(state["problem"], file=sys.stderr)  # noqa: T201
        time.sleep(1)
    runs = asked(url, "runs")
    demo = next(r["run"] for r in reversed(runs) if r["config"] == "full")
    model = next((r["run"] for r in runs if r["finished"] and r["finished"]["llm_calls"]), demo)
    report = asked(url, "reports")["reports"][0]["report"]
    proof = f"?run={demo}&problem={PROVED}"
    return {
        "runs": ("", WIDE, False),
        "run": (f"?run={demo}", WIDE, False),
        "proof": (proof, (1280, 1000), False),
        "timeline": (f"{proof}&tab=timeline", (1280, 1000), False),
        "candidate": (f"{proof}&tab=attempts&at=1.0", WIDE, True),
        "children": (f"?run={model}&problem={SPLIT}&tab=timeline", (1280, 1000), True),
        "model": (f"?run={model}&problem={SPLIT}&tab=model&at=1", WIDE, False),
        "evaluation": (f"?report={report}", (1280, 1000), False),
        "narrow": (proof, NARROW, True),
    }


def main() -> None:
    """Write the pictures."""
    data, reports, target = map(Path, sys.argv[1:4])
    target.mkdir(parents=True, exist_ok=True)
    with serving(data, reports) as url, browser() as opened:
        for name, (address, (width, height), dark) in pictures(url).items():
            scheme = "dark" if dark else "light"
            with visiting(opened, url, width, height, color_scheme=scheme) as visit:
                visit.go(address)
                # The foot names a folder of this machine.
                visit.page.evaluate("document.getElementById('foot').hidden = true")
                visit.page.wait_for_timeout(1500)
                path = target / f"web-{name}.png"
                visit.page.screenshot(path=str(path))
                print(path, path.stat().st_size, visit.complaints or "")  # noqa: T201


if __name__ == "__main__":
    main()
