import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragsolver_contracts.ids import digest, event_id, new_run_id, refused_input_id, token

text = st.text(max_size=80)


@given(st.lists(text), st.lists(text))
def test_digest_depends_on_the_borders_between_parts(a: list[str], b: list[str]) -> None:
    assert (digest(*a) == digest(*b)) == (a == b)


@given(text, text, text)
def test_event_id_ignores_nothing_that_is_decided(run: str, problem: str, part: str) -> None:
    base = event_id(run, problem, "verdict_issued", (part, 1))
    assert re.fullmatch(r"[0-9a-f]{32}", base)
    assert base != event_id(run, problem, "verdict_issued", (part, 2))
    assert base != event_id(run, problem, "attempt_critiqued", (part, 1))
    assert base == event_id(run, problem, "verdict_issued", [part, 1])


@given(text, text)
def test_token_is_a_subject_token_and_injective(a: str, b: str) -> None:
    assert re.fullmatch(r"[a-z0-9_-]{1,64}", token(a))
    assert (token(a) == token(b)) == (a == b)


@pytest.mark.parametrize("name", ["a", "aime_1983_p9", "r20261130-182300-ab12cd34"])
def test_a_safe_id_is_its_own_token(name: str) -> None:
    assert token(name) == name


def test_token_of_mixed_case_stays_readable() -> None:
    assert token("aimeII_2001_p3").startswith("aimeii_2001_p3-")


def test_run_ids_sort_by_time_and_differ() -> None:
    early = new_run_id(datetime(2026, 1, 2, tzinfo=UTC))
    late = new_run_id(datetime(2026, 1, 3, tzinfo=UTC))
    assert early < late
    assert token(early) == early
    assert early != new_run_id(datetime(2026, 1, 2, tzinfo=UTC))


def test_refused_inputs_have_their_own_ids() -> None:
    assert refused_input_id(digest("x")) == "_in-" + digest("x")[:16]
