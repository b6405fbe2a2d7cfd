"""The web page in a real Chromium, on a real bus with simulated workers and recorded proofs."""

import asyncio
import gzip
import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import nats
import psutil
import pytest

from ragsolver_runtime.submission import post_input
from suites.browser import Visit, browser, chromium, visiting
from suites.simulated_house import House, kill, wait_for
from suites.worker_processes import children

pytestmark = [pytest.mark.connected, pytest.mark.timeout(180)]

GOLDEN = Path(__file__).parents[2] / "golden" / "web" / "proofs.jsonl.gz"
HOSTILE = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"
HOSTILE_NAME = "<b>&amp;\"'quoted"
NARROW = 390


class Up:
    """`ragsolver up --web` of a simulated installation."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.process = house.start("up", "--web", "0", *house.config)
        self.lines: list[str] = []
        reading = threading.Thread(target=self._read, daemon=True)
        reading.start()
        self.url = wait_for(self._url)
        wait_for(lambda: any("worker processes" in line for line in self.lines))
        self._reading = reading

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line.decode(errors="replace"))

    def _url(self) -> str | None:
        found = re.search(r"web page at (\S+)", "".join(self.lines))
        return found.group(1) if found else None

    def stop(self) -> None:
        below = children(self.process).values()
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=4)
        except subprocess.TimeoutExpired:
            kill([pid for pid in (self.process.pid, *below) if psutil.pid_exists(pid)])
            self.process.wait(timeout=10)
        self._reading.join(timeout=10)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


def posted(name: str, statement: str, words: str = "") -> dict[str, str]:
    formal = f"theorem t : {statement} := by sorry"
    return {"name": name, "formal_statement": formal, "informal_statement": words}


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    chromium()
    started = Up(House(tmp_path_factory.mktemp("web"), work_s=0.05))
    try:
        yield started
    finally:
        started.stop()


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture
def visit(up: Up, opened: Any) -> Iterator[Visit]:
    """A tab on the page; nothing may be complained about."""
    with visiting(opened, up.url) as found:
        yield found
    assert found.complaints == []


def submit(up: Up, *problems: dict[str, str]) -> None:
    """Post problems as any client would; in a thread, for the browser's loop runs in this one."""
    endpoint = json.loads((up.house.data / "endpoint.json").read_text())
    failed: list[Exception] = []

    def _run() -> None:
        try:
            asyncio.run(_post(endpoint["url"], problems))
        except Exception as error:  # noqa: BLE001 - told by the thread that waits
            failed.append(error)

    posting = threading.Thread(target=_run)
    posting.start()
    posting.join(timeout=60)
    assert not posting.is_alive()
    assert failed == []


async def _post(url: str, problems: Sequence[dict[str, str]]) -> None:
    client = await nats.connect(url, allow_reconnect=False, connect_timeout=5)
    try:
        for problem in problems:
            await post_input(client, json.dumps(problem).encode(), budget_s=30)
    finally:
        await client.close()


def test_a_run_is_seen_from_its_first_problem_on(up: Up, visit: Visit) -> None:
    """What a newcomer does; nothing is loaded again by hand."""
    visit.go()
    assert "No run yet" in visit.text("main")
    submit(up, posted("first", "True"), posted("second", "1 = 2", HOSTILE))
    visit.page.get_by_role("link", name="plain").click()
    visit.page.wait_for_selector("tr:has-text('first') .badge.good")
    visit.page.wait_for_selector("tr:has-text('second') .badge.warn")
    visit.page.wait_for_selector("#live:has-text('Live')")
    before = visit.page.evaluate("performance.timeOrigin")
    submit(up, posted("third", "True ∧ True"), posted(HOSTILE_NAME, "2 = 3"), posted(HOSTILE, "0"))
    visit.page.wait_for_selector("tr:has-text('third') .badge.good")
    assert visit.page.evaluate("performance.timeOrigin") == before
    assert "2 of 5" in visit.text(".tiles").replace("\n", " ")


def test_filters_search_and_their_links(visit: Visit) -> None:
    visit.go("/?run=inbox")
    visit.page.get_by_role("button", name="proved", exact=False).first.click()
    visit.has("tbody tr", 2)
    assert "only=solved" in visit.page.url
    visit.page.reload()
    visit.ready()
    visit.has("tbody tr", 2)
    visit.page.get_by_role("button", name="All").click()
    visit.page.get_by_label("Search").fill("SECOND")
    visit.has("tbody tr", 1)
    visit.page.get_by_label("Search").fill("no such thing")
    visit.page.wait_for_selector("text=No problem is like that.")


def test_a_problem_its_parts_and_the_way_back(visit: Visit) -> None:
    visit.go("/?run=inbox")
    visit.page.get_by_role("link", name="first").click()
    visit.page.wait_for_selector("h1:has-text('first')")
    assert "theorem t : True := by tactic1" in visit.text("pre.proof")
    visit.page.get_by_role("link", name="Timeline").click()
    visit.page.wait_for_selector(".step:has-text('Proved')")
    assert visit.page.locator(".bar-span").count() >= 5
    visit.page.get_by_role("link", name="Attempts").click()
    visit.page.locator("summary:has-text('tactic0')").click()
    visit.page.wait_for_selector(".candidate code:has-text('tactic0')")
    assert "at=1.0" in visit.page.url
    visit.page.go_back()
    visit.page.wait_for_selector(".lanes")
    visit.page.go_back()
    visit.page.wait_for_selector("pre.proof")
    visit.page.go_back()
    visit.page.wait_for_selector("table.problems")


def test_events_with_their_json(visit: Visit) -> None:
    visit.go("/?run=inbox&problem=second&tab=events")
    visit.page.get_by_label("Event").select_option("problem_submitted")
    visit.has(".events > li", 1)
    visit.page.locator(".events summary").click()
    assert '"type": "ragsolver.problem_submitted.v1"' in visit.text("pre.json")


def test_hostile_text_is_text(visit: Visit) -> None:
    """In a name, in a refusal, in words, in an event."""
    visit.go("/?run=inbox")
    visit.page.get_by_role("link", name=HOSTILE_NAME).click()
    visit.page.wait_for_selector("h1")
    assert visit.text("h1").startswith(HOSTILE_NAME)
    visit.go("/?run=inbox&problem=second")
    assert visit.text(".prose") == HOSTILE
    visit.go("/?run=inbox&only=refused")
    assert "onerror" in visit.text("table")
    visit.go("/?run=inbox&tab=events")
    visit.page.locator("summary:has-text('problem submitted')").first.click()
    visit.page.wait_for_selector("pre.json")
    assert visit.page.evaluate("window.hacked") is None
    assert visit.page.locator("main img, main script").count() == 0


@pytest.fixture(scope="module")
def proofs(up: Up) -> str:
    """Recorded proofs of real workers on the same bus; gives the run."""
    trace = up.house.root / "proofs.jsonl"
    trace.write_bytes(gzip.decompress(GOLDEN.read_bytes()))
    done = up.house.run("trace", "import", str(trace))
    assert done.returncode == 0, done.stderr.decode()
    return str(json.loads(trace.read_text().splitlines()[0])["event"]["correlationid"])


def test_a_proof_with_what_it_cites(visit: Visit, proofs: str) -> None:
    visit.go(f"/?run={proofs}&problem=coprime_divisor")
    cited = visit.page.locator("pre.proof .mention.used_in_proof")
    name = "Nat.Coprime.dvd_of_dvd_mul_right"
    assert name in cited.all_inner_texts()
    link = visit.page.locator(f"pre.proof a:has-text('{name}')").first
    assert f"#{name}" in str(link.get_attribute("href"))
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert "k.Coprime n" in str(link.get_attribute("title"))
    levels = visit.page.locator(".side h3").all_inner_texts()
    assert levels[0].startswith("Used in the proof")
    assert "Init.Data.Nat.Coprime" in visit.text(".level.used_in_proof")


def test_a_false_statement_and_a_rejected_candidate(visit: Visit, proofs: str) -> None:
    visit.go(f"/?run={proofs}&only=doubt")
    visit.page.get_by_role("link", name="square_beats_double").click()
    visit.page.wait_for_selector("h2:has-text('Refutation')")
    assert "¬" in visit.text("pre.proof")
    visit.go(f"/?run={proofs}&problem=coprime_divisor&tab=attempts&at=1.0")
    assert visit.text("mark.d-error") == "omega"
    assert "omega could not prove the goal" in visit.text(".diagnostics")


def test_a_narrow_screen(up: Up, opened: Any, proofs: str) -> None:
    where = f"/?run={proofs}&problem=coprime_divisor"
    tabs = [
        f"{where}&tab={tab}" for tab in ("", "timeline", "attempts", "evidence", "model", "events")
    ]
    addresses = ["/", "/?page=workers", "/?page=evaluations", f"/?run={proofs}", *tabs]
    with visiting(opened, up.url, width=NARROW, color_scheme="dark") as visit:
        for address in addresses:
            visit.go(address)
            assert visit.overflow() <= 0, address
        assert visit.complaints == []


def test_the_keyboard_reaches_what_the_mouse_does(visit: Visit) -> None:
    visit.go("/?run=inbox")
    visit.page.keyboard.press("Tab")
    assert visit.text(":focus") == "Skip to content"
    for _ in range(40):
        visit.page.keyboard.press("Tab")
        if visit.page.locator(":focus").inner_text() == "first":
            break
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_selector("h1:has-text('first')")


def test_what_is_not_there_is_said(up: Up, opened: Any) -> None:
    with visiting(opened, up.url) as visit:
        visit.go("/?run=none")
        assert "no run 'none' on this bus" in visit.text("main")
        visit.go("/?run=inbox&problem=none")
        assert "has no problem 'none'" in visit.text("main")


def test_a_restarted_server_of_the_bus_is_survived(up: Up, opened: Any) -> None:
    with visiting(opened, up.url) as visit:
        visit.go("/?run=inbox")
        pid = int((up.house.data / "bus" / "nats-server.pid").read_text())
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: _pid(up) not in {None, pid})
        wait_for(lambda: _submitted(up, posted("later", "True")))
        visit.page.wait_for_selector("tr:has-text('later') .badge.good", timeout=40_000)
        visit.page.wait_for_selector("#live:has-text('Live')", timeout=40_000)


def _pid(up: Up) -> int | None:
    try:
        return int((up.house.data / "bus" / "nats-server.pid").read_text())
    except (OSError, ValueError):
        return None


def _submitted(up: Up, problem: dict[str, str]) -> bool:
    try:
        submit(up, problem)
    except AssertionError:
        return False
    return True
