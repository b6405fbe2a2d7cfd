-- statement: theorem reached (a b : Nat) (h : a < b) : a + 1 ≤ b
-- expect: accepted
theorem by_show (a b : Nat) (h : a < b) : ¬ b ≤ a :=
  show b ≤ a → False from fun k => absurd h (Nat.not_lt.mpr k)

theorem by_suffices (a b : Nat) (h : a < b) : a ≠ b := by
  suffices k : ¬ b ≤ a by
    intro e
    exact k (e ▸ Nat.le_refl a)
  exact by_show a b h

theorem term_suffices (a b : Nat) (h : a < b) : a ≤ b :=
  suffices k : a < b ∨ a = b from k.elim Nat.le_of_lt Nat.le_of_eq
  Or.inl h

theorem reached (a b : Nat) (h : a < b) : a + 1 ≤ b :=
  have := by_suffices a b h
  let goal := a + 1
  show goal ≤ b from h
