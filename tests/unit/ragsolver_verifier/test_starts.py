from ragsolver_verifier.pool_settings import StartSettings
from ragsolver_verifier.starts import FailedStarts


def test_pauses_double_up_to_a_limit():
    failed = FailedStarts(StartSettings(tries=3, first_delay_s=1.0, longest_delay_s=5.0))
    delays = []
    for number in range(1, 6):
        assert failed.note(OSError("no memory")) == number
        delays.append(failed.delay_s)
    assert delays == [1.0, 2.0, 4.0, 5.0, 5.0]


def test_too_many_are_told_and_a_success_ends_them():
    failed = FailedStarts(StartSettings(tries=2))
    failed.note(OSError("first"))
    assert not failed.too_many
    failed.note(OSError("no memory"))
    assert failed.too_many
    assert "no memory" in str(failed.error())
    failed.forget()
    assert not failed.too_many
