-- The problem's own definitions, notation and instance are in its header.
-- header: def Divides (a b : Nat) : Prop := ∃ c, b = a * c
-- header: infix:50 " divides " => Divides
-- header: namespace Problem
-- header: variable (n : Nat)
-- statement: theorem trans' (a b c : Nat) (h : a divides b) (k : b divides c) : a divides c
-- expect: accepted
theorem refl' : n divides n := ⟨1, (Nat.mul_one n).symm⟩

theorem trans' (a b c : Nat) (h : a divides b) (k : b divides c) : a divides c := by
  obtain ⟨x, rfl⟩ := h
  obtain ⟨y, rfl⟩ := k
  exact ⟨x * y, Nat.mul_assoc a x y⟩
