-- statement: theorem residue : ∀ n : Fin 12, (n.val * n.val) % 4 = 0 ∨ (n.val * n.val) % 4 = 1
-- expect: accepted
theorem residue : ∀ n : Fin 12, (n.val * n.val) % 4 = 0 ∨ (n.val * n.val) % 4 = 1 := by decide +kernel
