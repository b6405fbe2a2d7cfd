import pytest
import yaml

from meta.house import ROOT
from ragsolver_contracts import schemas, subjects
from ragsolver_contracts.events import PAYLOADS
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted, RunStarted
from ragsolver_runtime import asyncapi
from ragsolver_runtime.roles import load_role, worker_roles
from ragsolver_runtime.testing import scripted_worker


@pytest.fixture(scope="module")
def made():
    return asyncapi.document()


def _references(node):
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for inner in node.values():
            yield from _references(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _references(inner)


def test_every_event_has_its_channel_with_the_subject_it_is_stored_under(made):
    for name in PAYLOADS:
        address = made["channels"][name]["address"]
        filled = address.format(run="r1", problem="p", event="0" * 32)
        assert filled == subjects.event_subject(name, "r1", "p", "0" * 32)
        assert set(made["channels"][name]["parameters"]) == {"run", "problem", "event"}
    cancel = made["channels"]["cancel"]["address"]
    assert cancel.format(run="r1", problem="p") == subjects.cancel_notice("r1", "p")
    assert made["channels"]["submit"]["address"] == subjects.SUBMIT
    assert made["channels"]["check"]["address"] == subjects.CHECK


def test_every_reference_leads_somewhere(made):
    files = set(schemas.all_schemas())
    for reference in _references(made):
        if not reference.startswith("#/"):
            assert reference in files
            continue
        node = made
        for step in reference.removeprefix("#/").split("/"):
            node = node[step]


@pytest.mark.parametrize("role", worker_roles())
def test_every_role_receives_its_triggers_and_sends_what_it_emits(made, role):
    spec, operations = load_role(role), made["operations"]
    for payload in spec.triggers:
        assert operations[f"{role}_receives_{payload.NAME}"]["action"] == "receive"
    for payload in spec.emits:
        assert operations[f"{role}_sends_{payload.NAME}"]["action"] == "send"
    assert f"{role}_sends_work_failed" in operations


def test_requests_have_their_replies(made):
    for name, reply in (
        ("intake_receives_submit", "submit_reply"),
        ("client_sends_submit", "submit_reply"),
        ("verifier_receives_check", "check_reply"),
        ("client_sends_check", "check_reply"),
    ):
        channel = made["operations"][name]["reply"]["channel"]
        assert channel == {"$ref": f"#/channels/{reply}"}
    assert made["channels"]["check_reply"]["address"] is None


def test_a_new_worker_is_in_it_by_itself():
    worker = scripted_worker(
        None, role="referee", triggers=(ProblemSubmitted, RunStarted), emits=(LlmReserved,)
    )
    operations = asyncapi.document([worker])["operations"]
    assert {"referee_receives_run_started", "referee_sends_llm_reserved"} < set(operations)
    assert "critic_receives_verdict_issued" not in operations


def test_the_shipped_file_is_what_the_code_says(made):
    shipped = (ROOT / "contracts/schemas" / asyncapi.FILE).read_text(encoding="utf-8")
    assert shipped == asyncapi.text_of(made)
    assert yaml.safe_load(shipped) == made


def test_drift_is_seen(tmp_path):
    worker = scripted_worker(None, role="referee")
    assert not asyncapi.is_current(tmp_path, [worker])
    file = asyncapi.write(tmp_path, [worker])
    assert asyncapi.is_current(tmp_path, [worker])
    file.write_text(file.read_text().replace("referee_receives", "referee_hears"))
    assert not asyncapi.is_current(tmp_path, [worker])
