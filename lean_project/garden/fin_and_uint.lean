-- statement: theorem wraps : (255 : UInt8) + 1 = 0 ∧ (3 : Fin 4) + 2 = 1
-- expect: accepted
theorem last_is_largest (n : Nat) (i : Fin (n + 1)) : i ≤ Fin.last n := Fin.le_last i

theorem wraps : (255 : UInt8) + 1 = 0 ∧ (3 : Fin 4) + 2 = 1 := by
  refine ⟨by decide, ?_⟩
  decide
