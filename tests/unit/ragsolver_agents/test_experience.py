import pytest

from ragsolver_agents.experience import Tally, by_family, experience, was_killed
from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.events_run import WorkFailed
from ragsolver_contracts.events_work import CandidateProposed, VerdictIssued
from ragsolver_contracts.run_config import PortfolioConfig
from ragsolver_contracts.testing import event
from ragsolver_contracts.verdict import Verdict, VerdictReason, VerdictStatus
from suites.deciding_world import DIGEST, TOOLCHAIN, accepted, checked, rejected, view


def proposed(number, strategy, *, negated=False):
    return CandidateProposed(
        attempt=1,
        candidate=number,
        batch=0,
        closes_batch=True,
        closes_attempt=False,
        text=CandidateText(proof="by x"),
        strategy=strategy,
        negated=negated,
    )


def issued(number, verdict):
    return VerdictIssued(attempt=1, candidate=number, verdict=verdict)


def stopped(reason=VerdictReason.TIMEOUT, **fields):
    return Verdict(
        status=VerdictStatus.INCONCLUSIVE,
        reason=reason,
        statement_digest=DIGEST,
        toolchain=TOOLCHAIN,
        **fields,
    )


def died(number):
    return WorkFailed(
        failed_role="verifier",
        trigger_id="x",
        trigger_type="y",
        stage="check",
        error="SessionDiedError",
        message="died",
        attempt=1,
        candidate=number,
    )


def tally(*payloads):
    found = Tally()
    found.read(event(item) for item in (checked(view("n = 0", ("n", "ℕ"))), *payloads))
    return found


def test_tries_are_summed_by_strategy_and_shape():
    fast = accepted().model_copy(update={"cpu_ms": 20.0})
    found = tally(
        proposed(0, "lemmas/Nat.a"),
        proposed(1, "lemmas/Nat.b"),
        proposed(2, "close/omega"),
        issued(0, rejected("no").model_copy(update={"cpu_ms": 40.0})),
        issued(1, fast),
    )
    (row,) = experience(found)
    assert (row.strategy, row.shape, row.tries, row.accepted) == ("lemmas/*", "Nat/=", 2, 1)
    assert row.mean_ms == pytest.approx(30.0)


def test_a_death_is_a_kill_and_a_refutation_a_success():
    found = tally(
        proposed(0, "refute/counterexample", negated=True),
        proposed(1, "search/kernel"),
        issued(0, accepted(negated=True)),
        died(1),
    )
    rows = {row.strategy: row for row in experience(found)}
    assert rows["refute/counterexample"].accepted == 1
    assert rows["search/kernel"].killed == 1
    families = by_family(found)
    assert families["refute"].refuted == 1
    assert families["refute"].accepted == 0


@pytest.mark.parametrize(
    ("verdict", "killed"),
    [
        (stopped(), True),
        (stopped(VerdictReason.MEMORY_LIMIT), True),
        (stopped(diagnostics=rejected("timeout").diagnostics), False),
        (rejected("no"), False),
    ],
)
def test_heartbeats_kill_nothing(verdict, killed):
    assert was_killed(verdict) is killed


def test_a_second_verdict_on_a_candidate_counts_once():
    again = [issued(0, rejected("no"))] * 2
    (row,) = experience(tally(proposed(0, "close/omega"), *again))
    assert row.tries == 1


def test_a_configuration_takes_what_was_learned():
    found = tuple(experience(tally(proposed(0, "close/omega"), issued(0, accepted()))))
    assert PortfolioConfig(order="learned", experience=found).experience == found
