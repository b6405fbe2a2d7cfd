import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragsolver_agents.formalizer.portfolio.schedule import (
    GUESS,
    GUESSED_MS,
    Expected,
    Schedule,
    best_first,
    worth,
)
from ragsolver_agents.formalizer.portfolio.script import Script
from ragsolver_contracts.run_config import Experience

OMEGA, GRIND = Script("close/omega", "by omega"), Script("close/grind", "by grind")


def seen(strategy, accepted, tries=20, shape="Nat/=", ms=50.0, killed=0):
    return Experience(
        strategy=strategy, shape=shape, tries=tries, accepted=accepted, mean_ms=ms, killed=killed
    )


@pytest.mark.parametrize("cost", [1, 2, 3])
def test_what_was_never_tried_is_guessed(cost):
    expected = Schedule((), "Nat/=").expected(OMEGA, cost)
    assert expected == Expected(pytest.approx(GUESS), GUESSED_MS[cost])


def test_experience_with_the_shape_outweighs_that_with_others():
    schedule = Schedule([seen("close/omega", 0), seen("close/omega", 20, shape="Int/∣")], "Nat/=")
    elsewhere = Schedule([seen("close/omega", 0), seen("close/omega", 20, shape="Int/∣")], "Int/∣")
    assert schedule.expected(OMEGA, 1).success < 0.2 < 0.8 < elsewhere.expected(OMEGA, 1).success


def test_lemmas_share_their_experience():
    schedule = Schedule([seen("lemmas/*", 18)], "Nat/=")
    assert schedule.expected(Script("lemmas/Nat.foo", "by x"), 1).success > 0.7


def test_kills_cost_time():
    calm = Schedule([seen("search", 1)], "").expected(Script("search", ""), 3)
    deadly = Schedule([seen("search", 1, killed=10)], "").expected(Script("search", ""), 3)
    assert deadly.ms > calm.ms + 3_000


def test_the_most_proofs_per_second_come_first():
    quick, slow = Expected(0.1, 10.0), Expected(0.5, 1_000.0)
    ordered = best_first([(OMEGA, slow), (GRIND, quick)])
    assert [script for script, _ in ordered] == [GRIND, OMEGA]


def test_equal_ones_stay_as_they_stood():
    same = Expected(0.1, 10.0)
    assert best_first([(GRIND, same), (OMEGA, same)])[0][0] == GRIND


def test_a_stage_is_worth_its_best_beginning():
    assert worth([]) == 0
    assert worth([Expected(0.5, 100.0)]) == pytest.approx(5.0)
    assert worth([Expected(0.5, 100.0), Expected(0.0, 9_900.0)]) == pytest.approx(5.0)


EXPECTED = st.builds(Expected, st.floats(0.001, 0.999), st.floats(1, 1e5))


@given(st.lists(EXPECTED, min_size=1, max_size=8))
def test_a_stage_is_worth_no_more_than_its_best_script(items):
    best = max(item.worth for item in items)
    assert 0 < worth(items) <= best * (1 + 1e-9)


@given(
    st.lists(
        st.builds(
            lambda n, k, ms, d: seen("close/omega", min(k, n), n, ms=ms, killed=min(d, n)),
            st.integers(1, 500),
            st.integers(0, 500),
            st.floats(0, 1e5),
            st.integers(0, 500),
        ),
        max_size=6,
    )
)
def test_chances_are_between_never_and_always(experience):
    expected = Schedule(experience, "Nat/=").expected(OMEGA, 1)
    assert 0 < expected.success < 1
    assert expected.ms >= 1
