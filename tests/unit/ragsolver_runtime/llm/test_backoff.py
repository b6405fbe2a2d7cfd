import pytest

from ragsolver_runtime.llm.backoff import Backoff

STEADY = Backoff(first_delay_s=1.0, longest_delay_s=10.0, jitter=lambda: 1.0)


@pytest.mark.parametrize(
    ("tried", "expected"), [(1, 1.0), (2, 2.0), (4, 8.0), (5, 10.0), (99, 10)]
)
def test_it_doubles_up_to_its_bound(tried, expected):
    assert STEADY.delay_s(tried, None) == expected


def test_it_is_never_shorter_than_a_server_asks_up_to_the_bound():
    assert STEADY.delay_s(1, 4.0) == 4.0
    assert STEADY.delay_s(3, 0.5) == 4.0
    assert STEADY.delay_s(1, 4_000.0) == 10.0


def test_workers_that_failed_together_come_back_apart():
    early = Backoff(first_delay_s=1.0, jitter=lambda: 0.0)
    assert early.delay_s(1, None) == 0.5
    assert len({Backoff().delay_s(1, None) for _ in range(9)}) > 1
