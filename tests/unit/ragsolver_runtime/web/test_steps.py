import pytest

from ragsolver_contracts.events import PAYLOADS
from ragsolver_runtime.web.steps import _TELLS, steps_of
from suites.web_world import golden_case, sample_case


def test_every_event_can_be_told() -> None:
    assert set(_TELLS) == set(PAYLOADS)


def test_the_story_of_a_proof() -> None:
    _, events = golden_case("solved_by_residues")
    steps = steps_of(events)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    titles = [step.title for step in steps]
    assert titles[0] == "Submitted"
    assert titles[-1] == "Proved"
    assert any(title.startswith("Verdicts: 1 accepted") for title in titles)
    assert steps[-1].tone == "good"
    assert all(fact.text and "\n" not in fact.text for step in steps for fact in step.facts)


@pytest.mark.parametrize(
    ("name", "said", "tone"),
    [
        ("false_statement", "The statement is false", "warn"),
        ("not_proved", "Not proved", "bad"),
        ("checker_always_dies", "Infrastructure", "bad"),
    ],
)
def test_other_ends(name: str, said: str, tone: str) -> None:
    _, events = golden_case(name)
    last = steps_of(events)[-1]
    assert (last.title, last.tone) == (said, tone)


def test_times_count_from_the_first_event_and_the_cause() -> None:
    _, events = sample_case("hard")
    steps = steps_of(events)
    assert (steps[0].at_ms, steps[0].took_ms) == (0.0, None)
    assert (steps[1].at_ms, steps[1].took_ms) == (1000.0, 1000.0)


def test_nothing_has_no_steps() -> None:
    assert steps_of([]) == ()
