from ragsolver_agents.formalizer.portfolio.definitions import Definitions
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view

DOUBLE = view("double n % 2 = 0", ("n", "ℕ"), own_constants=("double",))


def test_the_headers_definitions_are_unfolded():
    scripts = {s.strategy: s.proof for s in Definitions().scripts(Asked(DOUBLE))}
    assert scripts["definitions/omega"] == "by\n  simp only [double] at * <;> omega"
    assert "grind [double]" in scripts["definitions/grind"]
    assert "induction n <;>" in scripts["definitions/induction"]


def test_without_such_definitions_there_is_nothing():
    assert list(Definitions().scripts(Asked(view("n = n", ("n", "ℕ"))))) == []
