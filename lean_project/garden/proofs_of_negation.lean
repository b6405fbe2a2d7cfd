-- statement: theorem irrational_like (a b : Nat) (h : 0 < b) : a = b + a → False
-- expect: accepted
theorem lt_irrefl' (n : Nat) : ¬ n < n := fun h => Nat.lt_irrefl n h
theorem ne_of (a b : Nat) (h : a < b) : a ≠ b
  | e => lt_irrefl' b (e ▸ h)

theorem irrational_like (a b : Nat) (h : 0 < b) : a = b + a → False := by
  intro e
  have := ne_of a (b + a) (by omega)
  exact this e
