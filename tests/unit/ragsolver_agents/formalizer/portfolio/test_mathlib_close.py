from ragsolver_agents.formalizer.portfolio.mathlib_close import TACTICS, MathlibClose
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.real_numbers import REAL_VIEW


def test_every_tactic_is_tried_where_mathlib_is():
    scripts = list(MathlibClose().scripts(Asked(REAL_VIEW, mathlib=True)))
    assert [script.proof.splitlines()[-1].strip() for script in scripts] == list(TACTICS)
    assert len({script.strategy for script in scripts}) == len(TACTICS)


def test_nothing_is_tried_without_mathlib():
    assert list(MathlibClose().scripts(Asked(REAL_VIEW))) == []
