import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import VerdictReason, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.header import compatibility_header
from ragsolver_verifier.outline import outline
from ragsolver_verifier.statement import elaborate

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

CORE = compatibility_header("", frozenset())
LIMITS = CheckLimits(timeout_s=60.0)


def question(session, text, header=CORE, *, negated=False):
    statement = elaborate(session, header, text, timeout_s=60)
    assert statement.ok, statement.detail
    return Question(statement, negated)


def test_a_statement_is_read_from_its_elaborated_term(session):
    text = "theorem foo {a : ℤ} (n : ℕ) (h : 3 ∣ n + 12) : ∃ k, n = 3 * k"
    view = question(session, text).statement.view
    assert [(b.name, b.type, b.binder, b.is_prop) for b in view.binders] == [
        ("a", "ℤ", "implicit", False),
        ("n", "ℕ", "explicit", False),
        ("h", "3 ∣ n + 12", "explicit", True),
    ]
    assert (view.target, view.target_head) == ("∃ k, n = 3 * k", "Exists")
    assert view.numerals == (3, 12)
    assert {"Dvd.dvd", "HMul.hMul"} <= set(view.constants)


def test_a_proof_says_what_it_used(session):
    asked = question(session, "theorem foo (a b : ℕ) : a + b = b + a")
    verdict = check(session, asked, Candidate("by exact Nat.add_comm a b"), LIMITS)
    assert verdict.status is VerdictStatus.ACCEPTED
    assert "Nat.add_comm" in verdict.constants


def test_constants_of_helper_lemmas_count(session):
    asked = question(session, "theorem foo (a b : ℕ) : a * b = b * a")
    helper = "theorem turn (a b : ℕ) : a * b = b * a := Nat.mul_comm a b"
    verdict = check(session, asked, Candidate("turn a b", preamble=helper), LIMITS)
    assert verdict.status is VerdictStatus.ACCEPTED
    assert "Nat.mul_comm" in verdict.constants


def test_a_false_statement_is_refuted(session):
    asked = question(session, "theorem foo (n : ℕ) (h : 0 < n) : n < n * n", negated=True)
    verdict = check(session, asked, Candidate("by\n  intro h\n  have := h 1\n  omega"), LIMITS)
    assert (verdict.status, verdict.negated) == (VerdictStatus.ACCEPTED, True)


def test_a_proof_of_the_statement_is_none_of_its_negation(session):
    asked = question(session, "theorem foo : 1 + 1 = 2", negated=True)
    verdict = check(session, asked, Candidate(whole="theorem foo : 1 + 1 = 2 := rfl"), LIMITS)
    assert verdict.reason is VerdictReason.STATEMENT_MISMATCH


@pytest.mark.parametrize(
    ("candidate", "place"),
    [
        (Candidate("by\n  skip\n  exact nonsense"), ("proof", 3, 8)),
        (Candidate("by\r\n  have αβ𝔸 := n; exact nonsense"), ("proof", 2, 23)),
        (Candidate("by exact nonsense", "def one := 1"), ("proof", 1, 9)),
        (Candidate("by omega", "\ufeffdef one := 1\r\ndef a := nonsense"), ("preamble", 2, 9)),
        (Candidate("by omega", "def one :="), ("preamble", 1, 10)),
        (Candidate("by omega", "theorem foo : True := trivial"), ("statement", 1, 8)),
        (
            Candidate(whole="\ufeff\r\ntheorem foo (n : ℕ) : n < n + 1 := nonsense"),
            ("whole", 2, 35),
        ),
    ],
)
def test_positions_are_those_of_the_candidates_own_text(session, candidate, place):
    asked = question(session, "theorem foo (n : ℕ) : n < n + 1")
    found = check(session, asked, candidate, LIMITS).diagnostics[0]
    assert (found.part, found.start.line, found.start.column) == place


@pytest.mark.parametrize(
    "header",
    [
        "\ufeffimport Std\r\nopen Nat\r\n",
        "-- a comment\n/- and one\nof two lines -/\nimport Std\nopen Nat",
        "/-! A title, where Lean has none. -/\nimport Std\nopen Nat",
        "import Std\nimport Std\nimport Init  \n\nopen Nat\nopen Nat\nopen Nat Int  \n\n",
        CORE + "\nopen Nat\nopen Nat",
    ],
)
def test_headers_as_people_write_them(session, header):
    asked = question(session, "theorem foo (n : Nat) : succ n = n + 1", header)
    verdict = check(session, asked, Candidate("rfl"), LIMITS)
    assert verdict.status is VerdictStatus.ACCEPTED
    assert "\r" not in verdict.source
    assert "\ufeff" not in verdict.source


def test_a_header_is_made_once_and_the_answers_say_so(session):
    def cached(header):
        request = {"op": "state", "nonce": "n", "header": header, "statement": "theorem a : True"}
        return session.ask(request, timeout_s=60)["header_cached"]

    first = "import Std\n-- made once"
    assert [cached(first), cached(first)] == [False, True]
    assert [cached(f"{first} {n}") for n in range(3)] == [False] * 3
    assert cached(first) is True, "the last used are kept, not the last made"
    assert [cached(f"{first} {n}") for n in (3, 4, 0)] == [False] * 3
    assert cached(first) is True


def test_the_goal_of_a_hole_is_told(session):
    asked = question(session, "theorem foo (p q : Prop) (hp : p) (hq : q) : p ∧ q")
    verdict = check(session, asked, Candidate("by\n  refine ⟨?_, hq⟩\n  sorry"), LIMITS)
    assert verdict.reason is VerdictReason.CONTAINS_SORRY
    assert verdict.goals[0].endswith("⊢ p")


def test_one_candidate_leaves_nothing_to_the_next(session):
    asked = question(session, "theorem foo : 1 + 1 = 2")
    preamble = "axiom wish : False\ntheorem lie : 1 = 2 := wish.elim\nset_option autoImplicit true"
    first = check(session, asked, Candidate("rfl", preamble=preamble), LIMITS)
    assert first.status is VerdictStatus.ACCEPTED
    second = check(session, asked, Candidate("absurd lie (by decide)"), LIMITS)
    assert second.reason is VerdictReason.ELABORATION_ERROR


@pytest.mark.parametrize(
    ("header", "text", "problem"),
    [
        ("", "theorem foo : 1 = (1 : ℝ)", "error"),
        ("", "theorem foo : True theorem bar : True", "error"),
        ("", "example : True", "no_theorem"),
        ("", "theorem foo : True := trivial\n  where n : Nat", "proof"),
        ("", "theorem foo : True ∧ True where\n  left := trivial\n  right", "proof"),
        ("import Mathlib", "theorem foo : True", "header"),
        ("#eval 1", "theorem foo : True", "header"),
        ("set_option debug.skipKernelTC true", "theorem foo : True", "header"),
    ],
)
def test_what_is_no_statement(session, header, text, problem):
    statement = elaborate(session, header, text, timeout_s=60)
    assert not statement.ok
    assert statement.problem == problem
    assert statement.detail


def test_an_axiom_of_the_header_is_reported(session):
    header = "axiom wish : False"
    asked = question(session, "theorem foo : 1 = 2", header)
    verdict = check(session, asked, Candidate("wish.elim"), LIMITS)
    assert verdict.reason is VerdictReason.FORBIDDEN_AXIOM


def test_theorems_of_a_file(session):
    text = "import Std\nnamespace A\ntheorem a (n : Nat) :\n    n = n := rfl\nend A\n"
    (theorem,) = outline(session, text, timeout_s=60).theorems
    assert theorem.name == "a"
    assert theorem.header == "import Std\nnamespace A\n"
    assert theorem.text.lstrip("\n") == "theorem a (n : Nat) :\n    n = n := rfl"


@pytest.mark.parametrize("heartbeats", [2_147_484, 10**9])
def test_more_heartbeats_than_the_kernel_can_count_are_not_fewer(session, heartbeats):
    """In 32 bits the first of them would wrap around to 704 of the kernel's own units."""
    text = "theorem t : ∀ a : Fin 300, a.val * a.val % 7 < 7"
    statement = elaborate(session, "", text, timeout_s=60)
    limits = CheckLimits(max_heartbeats=heartbeats, timeout_s=60.0)
    verdict = check(session, Question(statement), Candidate("by decide +kernel"), limits)
    assert verdict.status is VerdictStatus.ACCEPTED, verdict.detail
