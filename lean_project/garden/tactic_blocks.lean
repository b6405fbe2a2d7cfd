-- Combinators, cases, bullets, `case`, `next`, `all_goals`, `first`, `repeat`, `calc` steps.
-- statement: theorem sorted (a b c : Nat) (h : a ≤ b) (k : b ≤ c) : a ≤ c ∧ a ≤ b ∧ b ≤ c
-- expect: accepted
theorem combined (p q r : Prop) (hp : p) (hq : q) (hr : r) : (p ∧ q) ∧ r ∧ (p ∨ r) := by
  refine ⟨?first, ?second⟩
  case second => exact ⟨hr, Or.inr hr⟩
  case first =>
    constructor
    all_goals first | exact hp | exact hq

theorem cases' (p q : Prop) (h : p ∨ q) : q ∨ p := by
  cases h
  case inl h => right; assumption
  next h => left; exact h

theorem many (n : Nat) (h : n < 4) : n = 0 ∨ n = 1 ∨ n = 2 ∨ n = 3 := by
  match n, h with
  | 0, _ => simp
  | 1, _ => simp
  | 2, _ => simp
  | 3, _ => simp

theorem repeated (p : Prop) (h : p) : p ∧ p ∧ p ∧ p := by
  repeat (apply And.intro; exact h)
  exact h

theorem named (a b : Nat) (h : a = b) : b = a := by
  have h' : b = a := by
    · rw [h]
  exact h'

theorem sorted (a b c : Nat) (h : a ≤ b) (k : b ≤ c) : a ≤ c ∧ a ≤ b ∧ b ≤ c := by
  and_intros <;> try assumption
  exact Nat.le_trans h k
