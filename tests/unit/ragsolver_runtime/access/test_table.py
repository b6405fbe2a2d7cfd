import pytest

from ragsolver_contracts.events_work import ProofSketched, VerdictIssued
from ragsolver_runtime.access.table import access_of, access_table, worker_access
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.testing import scripted_worker


async def nothing(context, case, trigger):
    return []


def test_a_worker_says_what_it_declares_and_what_the_runtime_says_for_it():
    spec = scripted_worker(
        nothing, role="retriever", triggers=(ProofSketched,), emits=(VerdictIssued,)
    )
    access = worker_access(spec)
    assert access.says == (
        "hole_closed",
        "llm_reserved",
        "problem_cancelled",
        "verdict_issued",
        "work_failed",
    )
    assert access.durables == (("RS_EVENTS", "retriever"),)
    assert "rs.v1.verdict_issued.>" in access.publish_allowed
    assert "rs.v1.proof_sketched.>" not in access.publish_allowed


def test_only_roles_that_ask_models_reach_the_limits():
    asks = worker_access(scripted_worker(nothing, role="planner"))
    asks_not = worker_access(scripted_worker(nothing, role="verifier"))
    assert "$KV.RS_LIMITS.>" in asks.publish_allowed
    assert not [subject for subject in asks_not.publish_allowed if "LIMITS" in subject]


def test_nobody_but_the_operator_makes_or_changes_anything():
    for role, access in access_table([]).items():
        makes = [s for s in access.publish_allowed if "CREATE" in s or s == "$JS.API.>"]
        assert bool(makes) == (role == "operator")


def test_an_observer_publishes_no_event_and_no_content():
    allowed = access_of("observer").publish_allowed
    assert not [s for s in allowed if not s.startswith(("$JS.API.", "_INBOX_observer"))]


def test_a_role_listens_to_its_own_inboxes_only():
    for role, access in access_table([]).items():
        inboxes = [s for s in access.subscribe_allowed if s.startswith("_INBOX")]
        assert inboxes == [f"_INBOX_{role}.>"]


def test_an_unknown_role_is_named():
    with pytest.raises(ConfigError, match="no role 'poet'"):
        access_of("poet")
