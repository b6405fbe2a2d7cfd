-- statement: theorem no_square : ¬ ∃ n : Fin 7, n * n = 3
-- expect: accepted
def Small (n : Nat) : Prop := n < 5 ∧ n ≠ 2

instance : DecidablePred Small := fun n => inferInstanceAs (Decidable (n < 5 ∧ n ≠ 2))

theorem small_three : Small 3 := by decide
theorem not_small : ¬ Small 7 := by decide

theorem no_square : ¬ ∃ n : Fin 7, n * n = 3 := by decide
