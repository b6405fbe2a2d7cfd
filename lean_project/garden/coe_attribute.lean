-- A coercion marked with its attribute.
-- statement: theorem twice_of (n : Nat) : n + n = 2 * n
-- expect: accepted
structure Even where
  half : Nat

@[coe] def Even.value (e : Even) : Nat := 2 * e.half

instance : Coe Even Nat := ⟨Even.value⟩

theorem value_of (n : Nat) : ((⟨n⟩ : Even) : Nat) = 2 * n := rfl

theorem twice_of (n : Nat) : n + n = 2 * n := by
  rw [← value_of n, value_of]
  omega
