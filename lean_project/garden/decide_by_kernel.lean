-- statement: theorem residue : ∀ n : Fin 25, (n.val ^ 4) % 5 = 0 ∨ (n.val ^ 4) % 5 = 1
-- expect: accepted
theorem residue : ∀ n : Fin 25, (n.val ^ 4) % 5 = 0 ∨ (n.val ^ 4) % 5 = 1 := by
  decide +kernel
