import asyncio

import pytest

from ragsolver_runtime.tasks import end
from ragsolver_runtime.web.api import Api
from ragsolver_runtime.web.assets import load_assets
from ragsolver_runtime.web.pages import application
from ragsolver_runtime.web.reports import ReportFolders
from ragsolver_runtime.web.source import BusSource, opener_on
from suites.asgi import ask
from suites.memory_bus import MemoryBus
from suites.sample_run import RUN, sample_run

ASSETS = load_assets()


@pytest.fixture
async def app():
    source = BusSource(opener_on(MemoryBus(sample_run())))  # type: ignore[arg-type]
    looking = asyncio.create_task(source.run())
    while source._bus is None:  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(0)
    yield application(Api(source, ReportFolders([]), "data"), ASSETS)
    await end(looking)


async def test_the_runs(app) -> None:
    (run,) = (await ask(app, "/api/runs")).json
    assert (run["run"], run["problem_count"]) == (RUN, 5)
    assert run["finished"]["outcomes"]["solved"] == 1


async def test_a_run_and_its_problems(app) -> None:
    head = (await ask(app, f"/api/run?run={RUN}")).json
    assert head["report"]["outcomes"]["solved"] == 1
    assert head["state"] == "live"
    page = (await ask(app, f"/api/problems?run={RUN}&only=solved")).json
    assert [row["problem"] for row in page["rows"]] == ["add_zero_nat"]


async def test_a_problem_a_candidate_and_its_events(app) -> None:
    where = f"run={RUN}&problem=add_zero_nat"
    page = (await ask(app, f"/api/problem?{where}")).json
    assert page["proof"]["pieces"]
    found = (await ask(app, f"/api/candidate?{where}&attempt=1&candidate=1")).json
    assert found["line"]["status"] == "accepted"
    events = (await ask(app, f"/api/events?{where}&name=verdict_issued")).json
    assert [line["name"] for line in events["lines"]] == ["verdict_issued"] * 2
    whole = (await ask(app, f"/api/event?run={RUN}&seq={events['lines'][0]['seq']}")).json
    assert whole["type"] == "ragsolver.verdict_issued.v1"


async def test_events_come_latest_first_and_in_pages(app) -> None:
    first = (await ask(app, f"/api/events?run={RUN}&limit=3")).json
    assert first["more"]
    sequences = [line["seq"] for line in first["lines"]]
    assert sequences == sorted(sequences, reverse=True)
    rest = (await ask(app, f"/api/events?run={RUN}&before={sequences[-1]}&text=HARD")).json
    assert {line["problem"] for line in rest["lines"]} == {"hard"}


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (f"/api/run?run={RUN}x", 404),
        ("/api/run", 400),
        (f"/api/problem?run={RUN}&problem=none", 404),
        (f"/api/problems?run={RUN}&offset=-1", 400),
        (f"/api/problems?run={RUN}&offset=1e3", 400),
        (f"/api/event?run={RUN}&seq=99999", 404),
        (f"/api/call?run={RUN}&problem=hard&call=1", 404),
        (f"/api/candidate?run={RUN}&problem=hard&attempt=1&candidate=77", 404),
        ("/api/report?report=x", 404),
        ("/api/picture?report=x&name=y", 404),
        ("/api/nothing", 404),
    ],
)
async def test_what_is_wrong_is_said(app, address: str, status: int) -> None:
    answer = await ask(app, address)
    assert answer.status == status
    assert answer.json["error"]


async def test_the_state(app) -> None:
    found = (await ask(app, "/api/state")).json
    assert (found["bus"], found["data"], found["reports"]) == ("memory", "data", 0)
    assert (await ask(app, "/api/reports")).json == {"folders": [], "reports": []}


async def test_without_a_bus_every_question_says_so() -> None:
    source = BusSource(opener_on(MemoryBus()))  # type: ignore[arg-type]
    app = application(Api(source, ReportFolders([]), ""), ASSETS)
    for address in ("/api/runs", f"/api/run?run={RUN}", "/api/lag"):
        answer = await ask(app, address)
        assert (answer.status, answer.json["bus"]) == (503, False)
    assert (await ask(app, "/api/state")).json["bus"] is None
