from ragsolver_verifier.tally import PoolTally
from suites.scripted_lean import ScriptedSession, honest


def test_events_are_counted():
    tally = PoolTally().started().failed().died().died().recycled()
    assert (tally.starts, tally.failed_starts, tally.deaths, tally.recycles) == (1, 1, 2, 1)
    assert "2 died" in str(tally)


def test_answers_of_sessions_are_added():
    session = ScriptedSession(honest)
    session.requests, session.header_hits, session.header_misses = 10, 6, 2
    tally = PoolTally().after(session).with_sessions([session])
    assert (tally.requests, tally.header_hits, tally.header_hit_rate) == (20, 12, 0.75)


def test_without_requests_nothing_was_hit():
    assert PoolTally().header_hit_rate == 0.0
