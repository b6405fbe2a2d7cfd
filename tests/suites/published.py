"""Small records in the layouts of published datasets; their answers and proofs hold markers."""

from typing import Any

ANSWER = "ANSWER_MARKER_31"
PROOF = "PROOF_MARKER_17"
SECRETS = (ANSWER, PROOF)
"""What no message may hold."""

RECORDS: dict[str, dict[str, Any]] = {
    "minif2f_v2c.jsonl": {
        "name": "sum_of_two",
        "split": "valid",
        "informal_statement": "Add two even numbers. Show that the sum is even.",
        "formal_statement": "theorem sum_of_two (a b : ℕ) (h : a % 2 = 0) (g : b % 2 = 0) :\n"
        "  let s := a + b\n  s % 2 = 0 := by",
        "header": "import Mathlib\nimport Aesop\n\nset_option maxHeartbeats 0\n\nopen Nat\n\n",
        "informal_proof": PROOF,
        "formal_proof": f"by {PROOF}",
    },
    "provers.jsonl": {
        "name": "half",
        "split": "test",
        "informal_prefix": "/-- Half of ten is five.-/\n",
        "formal_statement": f"theorem half : 10 / 2 = 5 := by\n  exact {PROOF}\n",
        "goal": f"⊢ {ANSWER}",
        "header": f"import Mathlib\n-- {ANSWER}\nopen Nat\n",
    },
    "putnam.json": {
        "problem_name": "putnam_1900_a1",
        "formal_statement": "theorem putnam_1900_a1 (n : ℕ) : n ≤ n * n := sorry",
        "informal_statement": "Compare a number with its square.",
        "informal_solution": ANSWER,
        "tags": ["algebra"],
        "split": "test",
    },
    "FATE-H.json": {
        "id": 7,
        "informal_statement": "A group is not empty.",
        "formal_statement": "import Mathlib\n\nnamespace Problem7\n\nopen Function\n\n"
        "/--\nA group.\n-/\nabbrev Two : Type := Fin 2\n\n/--\nA group is not empty.\n-/\n"
        "theorem nonempty_of_group {G : Type*} [Group G] : Nonempty G := by\n\nend Problem7\n",
        "source": "FATE-H",
        "tag": ["Groups"],
    },
    "proofnet_sharp.jsonl": {
        "id": "Book|exercise_1_2",
        "nl_statement": "Zero is even.",
        "nl_proof": f"\\begin{{proof}}{PROOF}\\end{{proof}}",
        "lean4_src_header": "import Mathlib\n\nopen Function\nopen scoped BigOperators\n\n",
        "lean4_formalization": "theorem exercise_1_2 : Even 0 :=",
    },
    "proofnet-verified.jsonl": {
        "index": 3,
        "name": "Book_exercise_1_3",
        "textbook": "Book",
        "header": "import Mathlib\n\nopen Function",
        "helper": "def twice (n : ℕ) := n + n",
        "informal_stmt": "Twice a number is even.",
        "formal_stmt": "theorem Book_exercise_1_3 (n : ℕ) : Even (twice n) := by\n  sorry",
        "informal_proof": PROOF,
        "formal_proof": PROOF,
    },
    "proofnet_lean4.jsonl": {
        "name": "Book_exercise_1_4",
        "source": "Book.lean",
        "header": "import Mathlib\n",
        "formal_statement": "theorem Book_exercise_1_4 : Odd 1 := sorry",
        "formal_proof": None,
        "informal_stmt": f"One is odd.\n\\begin{{proof}}\n{PROOF}\n\\end{{proof}}",
        "informal_proof": PROOF,
    },
    "numina.jsonl": {
        "uuid": "0f8b-77",
        "problem": "Find the larger one.",
        "question_type": "math-word-problem",
        "answer": ANSWER,
        "author": "human",
        "formal_statement": "import Mathlib\n\nopen Real in\n/- Find the larger one. -/\n"
        "theorem algebra_77 {a b : ℝ} (h : a < b) : max a b = b := by sorry",
        "formal_ground_truth": PROOF,
        "ground_truth_type": "complete",
        "formal_proof": PROOF,
        "rl_data": {"n_proofs": 3},
        "source": "olympiads",
        "problem_type": "Algebra",
        "exam": "unknown",
    },
    "mathlibmpr.json": {
        "id": "mathlibmpr_900",
        "pr": 1,
        "formal_main_result": "Foo.two_le",
        "NL_main_result": "A set with two elements has at least two.",
        "formal_statement": "import Mathlib.Data.Finset.Card\n\nopen Finset\n\nnamespace Foo\n\n"
        "variable {α : Type*} {s : Finset α}\n\n/-- **Main result.** At least two. -/\n"
        "lemma two_le (h : s.card = 2) : 2 ≤ s.card := sorry\n\nend Foo",
        "premise_group": [{"kind": "original", "docs": [PROOF, ANSWER]}],
    },
}
"""Record by the name of its file."""
