"""What a model may answer the critic."""

import pytest
from pydantic import ValidationError

from ragsolver_agents.critic.answers import CritiqueAnswer, FidelityAnswer
from ragsolver_contracts.critique import ErrorClass, Route


def test_a_critique_needs_no_suspicion():
    said = CritiqueAnswer(error_class="timeout", advice=" do less ", route="retry")
    assert (said.error_class, said.route) == (ErrorClass.TIMEOUT, Route.RETRY)
    assert said.advice == "do less"
    assert not said.suspect_statement


@pytest.mark.parametrize("wrong", [{"route": "win"}, {"error_class": "proved"}, {"order": "x"}])
def test_words_of_its_own_are_no_answer(wrong):
    with pytest.raises(ValidationError):
        CritiqueAnswer(**{"error_class": "other", "advice": "", "route": "retry", **wrong})


def test_a_judgement_says_whether_and_why():
    assert FidelityAnswer(faithful=False, reason="n may be 0", issues=("0 < n",)).issues
    with pytest.raises(ValidationError):
        FidelityAnswer(reason="it seems so")
