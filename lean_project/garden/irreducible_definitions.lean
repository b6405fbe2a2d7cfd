-- statement: theorem still (n : Nat) : n + 1 ≠ 0
-- expect: accepted
@[irreducible] def sealed (n : Nat) : Nat := n + 1
@[reducible] def clear (n : Nat) : Nat := n + 1
abbrev short := clear

theorem sealed_eq (n : Nat) : sealed n = n + 1 := by unfold sealed; rfl

attribute [local semireducible] sealed in
theorem opened (n : Nat) : sealed n = n + 1 := rfl

def plain (n : Nat) : Nat := n + 1
seal plain in
theorem closed (n : Nat) : plain n = n + 1 := by unfold plain; rfl
unseal sealed in
theorem unsealed (n : Nat) : sealed n = n + 1 := rfl
theorem clearly (n : Nat) : short n = n + 1 := rfl

theorem still (n : Nat) : n + 1 ≠ 0 := by
  rw [← sealed_eq, sealed_eq]
  exact Nat.succ_ne_zero n
