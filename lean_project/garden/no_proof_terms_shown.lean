-- `exact?`-free search tactics of core: `solve_by_elim`, `apply_assumption`, `contradiction`, `trivial`.
-- statement: theorem searched (p q r : Prop) (h : p → q) (k : q → r) (hp : p) : r
-- expect: accepted
theorem impossible (n : Nat) (h : n < 0) : 1 = 2 := by contradiction
theorem easy : True ∧ 1 = 1 := by trivial
theorem by_exfalso (h : False) : 1 = 2 := by exfalso; exact h
theorem by_nat (n : Nat) : n ^ 2 = n * n := by rw [Nat.pow_two]

theorem searched (p q r : Prop) (h : p → q) (k : q → r) (hp : p) : r := by
  solve_by_elim
