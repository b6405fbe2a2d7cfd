"""A bus with one user per role: what each may do is done, all else is refused by the server.

The table of all that was tried is docs/bus-permissions.md; WRITE_BUS_PERMISSIONS=1 writes it.
"""

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from nats.aio.msg import Msg

from ragsolver_contracts import subjects
from ragsolver_contracts.events import PAYLOADS, subject_of
from ragsolver_contracts.events_run import ProblemSubmitted, RunStarted, WorkFailed
from ragsolver_contracts.events_work import ProofSketched
from ragsolver_contracts.ids import RUN_SCOPE, digest
from ragsolver_contracts.problem import Problem
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.testing import problem
from ragsolver_runtime.app import run_worker
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.connect import settle
from ragsolver_runtime.errors import DriftError, RefusedError
from ragsolver_runtime.intake import Answers
from ragsolver_runtime.provisioning import make_ready
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.roles import load_role, worker_roles
from ragsolver_runtime.streams import EVENTS, consumers_of
from ragsolver_runtime.submission import post_input
from ragsolver_runtime.testing import said, scripted_worker
from ragsolver_runtime.wire import InvalidStored
from suites import simulated_workers
from suites.access_probes import allowed_by, cell, probes, try_all
from suites.secured_bus import SecuredBus, connected_as
from suites.simulated_house import House, outcomes

pytestmark = [
    pytest.mark.connected,
    pytest.mark.timeout(120),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on this machine"),
]

DOCUMENT = Path(__file__).parents[3] / "docs" / "bus-permissions.md"


async def test_before_the_operator_came_everybody_says_what_to_run(secured: SecuredBus):
    async with connected_as(secured, "client") as client:
        with pytest.raises(DriftError, match="infra provision"):
            await make_ready(client, secured.app("client"))


async def test_the_operator_makes_the_streams_and_every_role_finds_them(secured: SecuredBus):
    # The run below is by simulated workers, whose consumers are theirs.
    specs = {role: getattr(simulated_workers, role.upper()) for role in worker_roles()}
    async with connected_as(secured, "operator") as client:
        await make_ready(client, secured.app("operator"), specs.values())
    for role in secured.table:
        async with connected_as(secured, role) as client:
            own = [specs[role]] if role in specs else []
            await make_ready(client, secured.app(role), own)


def test_a_whole_run_works_with_every_role_under_its_own_user(secured: SecuredBus, tmp_path: Path):
    house = House(tmp_path)
    creds = str(secured.folder / "credentials")
    file = house.problems("True", "1 = 2", "(0 : ℝ) = 0")
    done = house.run("solve", str(file), *house.config, "--creds", creds, "--json")
    assert done.returncode == 1, done.stderr.decode()
    expected = {"p1": "solved", "p2": "not_proved", "p3": "refused"}
    assert outcomes(json.loads(done.stdout)) == expected
    logs = "".join(f.read_text() for f in house.data.rglob("*.jsonl") if "logs" in f.parts)
    assert logs
    assert "bus alarm" not in logs
    everything = done.stderr.decode() + logs
    for role in secured.table:
        assert secured.credentials(role).seed not in everything
    observer = ("--creds", str(secured.written.credentials["observer"]))
    # Whoever may only look cannot start anything, and is told so at once.
    refused = house.run("solve", str(file), *house.config, *observer, "--no-workers")
    assert refused.returncode == 2
    assert b"role observer to publish on rs.v1.run_started" in refused.stderr


async def test_every_role_is_refused_everything_that_is_not_its_own(secured: SecuredBus):
    tried = probes(secured.table)
    async with connected_as(secured, "operator") as client:
        for durable in consumers_of(load_role("verifier"))[1:]:
            await client.jetstream().add_consumer(EVENTS, config=durable)
    rows: dict[str, dict[str, str]] = {probe.name: {} for probe in tried}
    for role, access in secured.table.items():
        refused: set[tuple[str, str]] = set()
        async with connected_as(secured, role, _into(refused)) as client:
            came = await try_all(client, role, tried, refused)
        for probe in tried:
            allowed = []
            for subject in probe.subjects:
                full = f"{subject}{role}" if subject.endswith(".") else subject
                verb = "subscription" if probe.listens else "publish"
                is_allowed = (verb, full.lower()) not in came.refused
                assert is_allowed == allowed_by(access, probe, subject), (role, subject)
                if probe.answered:
                    assert is_allowed == (subject in came.answered), (role, subject)
                allowed.append(is_allowed)
            rows[probe.name][role] = cell(allowed)
    await _stored_is_what_was_allowed(secured)
    _compare(rows, list(secured.table))


def _into(refused: set[tuple[str, str]]) -> Callable[[str, str], None]:
    return lambda verb, subject: refused.add((verb, subject))


async def _stored_is_what_was_allowed(secured: SecuredBus) -> None:
    """The server's word is one thing, what the stream holds another: both must be the table's."""
    async with connected_as(secured, "operator") as client:
        js = client.jetstream()
        info = await js.stream_info("RS_EVENTS", subjects_filter="rs.v1.*.probe.p.*")
        names = [stream.config.name for stream in await js.streams_info()]
    found = set(info.state.subjects or {})
    declared = {
        f"rs.v1.{name}.probe.p.{role}"
        for role, access in secured.table.items()
        for name in access.says
    }
    every = {subject for subject in found if subject.endswith(".operator")}
    assert found - every == declared
    assert len(every) == len(PAYLOADS)
    assert len(names) == 6


def _compare(rows: dict[str, dict[str, str]], roles: list[str]) -> None:
    head = ["# What each role may do on a bus with users", ""]
    head += [
        "Written by `tests/integration/nats/test_access.py` from the answers of a real server: "
        "each line was tried as each role, on every subject that it stands for, and agreed with "
        "the declared table "
        "([table.py](../infra/ragsolver_runtime/access/table.py)). "
        "`·` is refused. See [secure the bus](howto/secure-the-bus.md).",
        "",
        "| | " + " | ".join(roles) + " |",
        "|---" * (len(roles) + 1) + "|",
    ]
    lines = [
        f"| {name} | " + " | ".join(row[r] for r in roles) + " |" for name, row in rows.items()
    ]
    text = "\n".join([*head, *lines]) + "\n"
    if os.environ.get("WRITE_BUS_PERMISSIONS"):
        DOCUMENT.write_text(text, encoding="utf-8")
    assert DOCUMENT.read_text(encoding="utf-8") == text, "WRITE_BUS_PERMISSIONS=1 writes it anew"


async def _started(secured: SecuredBus, run_id: str) -> Problem:
    """A run with one problem, said by those who may."""
    config = RunConfig()
    about = RunStarted(config=config, config_digest=digest(config.model_dump_json()))
    asked = problem("a")
    async with connected_as(secured, "client") as client:
        await Publisher(client).publish(said(about, run_id, RUN_SCOPE))
    async with connected_as(secured, "intake") as client:
        event = said(ProblemSubmitted(problem=asked), run_id, asked.problem_id)
        await Publisher(client).publish(event)
    return asked


async def test_what_is_declared_works(secured: SecuredBus):
    """Positive controls of what the probes, being junk, only knock at."""
    asked = await _started(secured, "controls")
    async with (
        connected_as(secured, "client") as client,
        connected_as(secured, "intake") as intake,
        connected_as(secured, "planner") as planner,
        connected_as(secured, "verifier") as verifier,
    ):
        heard = await client.subscribe(subjects.events_of_run("controls"))
        await settle(client)
        letter = WorkFailed(
            failed_role="planner",
            trigger_id="t",
            trigger_type="x",
            stage="handle",
            error="E",
            message="m",
            deliveries=1,
        )
        await Publisher(planner).publish(said(letter, "controls", asked.problem_id))
        message = await heard.next_msg(timeout=5)
        assert b"work_failed" in message.data
        reference = await BlobStore(planner.jetstream()).put(b"x" * 300_000)
        assert len(await BlobStore(verifier.jetstream()).get(reference)) == 300_000
        # Requests are answered where the asker says, by whoever serves them, and only there.
        await verifier.subscribe(subjects.CHECK, cb=_answer)
        await settle(verifier)
        assert (await client.request(subjects.CHECK, b"?", timeout=5)).data == b"checked"
        await Answers(intake).listen()
        case = await EventReader(verifier).load_case("controls", asked.problem_id)
        assert case.problem == asked


async def test_an_event_on_a_subject_of_its_writer_or_of_a_read_counts_for_nothing(
    secured: SecuredBus,
):
    """A role may write on its own subjects, and may say where the answer to a read goes."""
    asked = await _started(secured, "forged")
    forged = said(
        ProofSketched(attempt=1, plan=1, text="t", stage="closing"), "forged", asked.problem_id
    )
    own = subjects.event_subject("evidence_retrieved", "forged", asked.problem_id, forged.id)
    async with connected_as(secured, "retriever") as client:
        await client.publish(own, forged.to_json())
        await settle(client)
        query = json.dumps({"last_by_subj": own}).encode()
        await client.publish("$JS.API.DIRECT.GET.RS_EVENTS", query, reply=subject_of(forged))
        await settle(client)
        await asyncio.sleep(0.1)
        js = client.jetstream()
        put = await js.get_msg("RS_EVENTS", subject=subject_of(forged), direct=True)
        assert put.data == forged.to_json(), "the server repeats it: this is what is guarded"
        stored = await EventReader(client).stored_of_problem("forged", asked.problem_id)
    wrong = {
        item.subject: item.problems[0][1] for item in stored if isinstance(item, InvalidStored)
    }
    assert set(wrong) == {own, subject_of(forged)}
    assert "no event of subject" in wrong[own]
    assert "answer to a read" in wrong[subject_of(forged)]
    assert len(stored) == 3


async def test_a_worker_that_is_refused_its_own_consumer_ends_with_the_reason(
    secured: SecuredBus,
):
    """As on a server whose file is older: the user is known, and may not do what is needed."""
    seed = secured.credentials("critic").seed
    app = secured.app("planner", seed=seed)
    planner = load_role("planner")
    spec = scripted_worker(_nothing, role="planner", triggers=planner.triggers)
    with pytest.raises(RefusedError, match=r"role planner.*nats-config"):
        await run_worker(spec, app, signals=False)


async def _answer(message: Msg) -> None:
    await message.respond(b"checked")


async def _nothing(*_: object) -> list[ProofSketched]:
    return []


async def test_a_refused_publish_is_said_and_not_waited_for(secured: SecuredBus):
    async with connected_as(secured, "observer") as client:
        with pytest.raises(RefusedError, match=r"role observer to publish on rs.submit"):
            await post_input(client, b"{}", budget_s=20)
