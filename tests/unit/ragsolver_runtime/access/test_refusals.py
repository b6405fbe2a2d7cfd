import asyncio
import logging
import ssl
from types import SimpleNamespace

import pytest
from nats import errors as nats_errors

from ragsolver_runtime.access.refusals import (
    Refusals,
    attach,
    check_refused,
    covered,
    is_rejection,
    refusals_of,
)
from ragsolver_runtime.errors import RefusedError

DENIED = nats_errors.Error('nats: permissions violation for publish to "rs.v1.verdict_issued.a"')


async def test_a_refusal_is_counted_and_tells_role_subject_and_fix(caplog):
    told = []
    refusals = Refusals("planner/one", "planner", lambda *what: told.append(what))
    await refusals.heard(DENIED)
    await refusals.heard(DENIED)
    assert refusals.count == 2
    assert told == [("publish", "rs.v1.verdict_issued.a")] * 2
    with pytest.raises(RefusedError, match=r"role planner to publish on .* nats-config"):
        refusals.check("rs.v1.Verdict_issued.a")
    refusals.check("rs.v1.verdict_issued.b")
    assert "bus alarm on connection planner/one" in caplog.text


async def test_other_errors_are_alarms_and_no_refusals(caplog):
    refusals = Refusals("x", "")
    await refusals.heard(nats_errors.SlowConsumerError("s", "", 1, None))
    assert refusals.count == 0
    assert isinstance(refusals.last_error, nats_errors.SlowConsumerError)
    assert "bus alarm" in caplog.text


async def test_what_is_remembered_is_bounded():
    refusals = Refusals("x", "")
    for number in range(200):
        await refusals.heard(
            nats_errors.Error(f'nats: permissions violation for subscription to "a{number}"')
        )
    assert len(refusals.counts) == 64


async def test_a_connection_carries_what_it_was_refused():
    client = SimpleNamespace(options={})
    check_refused(client, "a")
    assert refusals_of(client) is None
    refusals = Refusals("x", "")
    attach(client, refusals)
    await refusals.heard(DENIED)
    with pytest.raises(RefusedError):
        check_refused(client, "rs.v1.verdict_issued.a")
    with pytest.raises(RefusedError):
        refusals.check_all(["rs.*.verdict_issued.>"])
    refusals.check_all(["rs.v1.proof_sketched.>"])


@pytest.mark.parametrize(
    ("subject", "pattern", "is_covered"),
    [
        ("a.b", "a.b", True),
        ("a.b", "A.*", True),
        ("a.b.c", "a.>", True),
        ("a", "a.>", False),
        ("a.b", "a", False),
        ("a", "a.b", False),
        ("a.b", "a.c", False),
    ],
)
def test_patterns_cover_subjects_as_the_server_says(subject, pattern, is_covered):
    assert covered(subject, [pattern]) is is_covered


async def test_a_connection_whose_key_was_withdrawn_is_closed_and_one_that_comes_back_is_not():
    closed = []

    async def close():
        closed.append(True)

    withdrawn = nats_errors.Error("nats: 'Authorization Violation'")
    refusals = Refusals("x", "client")
    await refusals.heard(withdrawn)  # while connecting: whoever connects counts
    assert refusals.changed.is_set()
    refusals.end_at(3, close)
    for _ in range(2):
        await refusals.heard(withdrawn)
    await refusals.accepted()
    for _ in range(2):
        await refusals.heard(withdrawn)
    await asyncio.sleep(0)
    assert not closed
    for _ in range(2):
        await refusals.heard(withdrawn)
    await asyncio.sleep(0)
    assert closed == [True]
    assert refusals.rejection is withdrawn


async def test_being_refused_the_own_inbox_explains_every_silence():
    refusals = Refusals("x", "planner")
    await refusals.heard(
        nats_errors.Error('permissions violation for subscription to "_inbox_planner.abc.*"')
    )
    with pytest.raises(RefusedError, match="listen to _inbox_planner"):
        refusals.check("anything")


async def test_errors_of_a_first_connection_are_left_to_whoever_connects(caplog):
    refusals = Refusals("x", "client")
    refusals.connecting = True
    await refusals.heard(ssl.SSLError(1, "tlsv13 alert certificate required"))
    assert refusals.rejected == 1
    assert all(record.levelno < logging.WARNING for record in caplog.records)


@pytest.mark.parametrize(
    ("error", "hopeless"),
    [
        (ssl.SSLCertVerificationError(1, "certificate verify failed"), True),
        (ssl.SSLError(1, "tlsv13 alert certificate required"), True),
        (ssl.SSLError(1, "wrong version number"), False),
        (nats_errors.AuthorizationError(), True),
        (ConnectionRefusedError(111, "refused"), False),
    ],
)
def test_what_no_other_try_can_mend(error, hopeless):
    assert is_rejection(error) is hopeless
