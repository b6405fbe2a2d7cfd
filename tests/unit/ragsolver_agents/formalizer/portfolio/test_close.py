"""Single tactics, chosen by whether anything varies."""

from ragsolver_agents.formalizer.portfolio.close import GROUND, SAFE, TACTICS, Close
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def tactics(statement):
    return [script.proof.splitlines()[-1].strip() for script in Close().scripts(Asked(statement))]


def test_a_ground_statement_is_evaluated_first():
    assert tactics(view("17 * 18 % 4 = 2")) == list(GROUND)


def test_a_statement_with_variables_gets_the_solvers():
    assert tactics(view("n + 0 = n", ("n", "ℕ"))) == list(TACTICS)


def test_what_stands_after_the_colon_is_introduced():
    scripts = list(Close().scripts(Asked(view("∀ (n : ℕ), n = n"))))
    assert all("  intros\n" in script.proof for script in scripts)


def test_nothing_is_substituted_into_an_exponent():
    statement = view("2 ^ k % 10 = 6", ("k", "ℕ"), ("h", "k = 2 ^ 2008"))
    assert tactics(statement) == list(SAFE)
