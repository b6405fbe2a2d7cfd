-- statement: theorem square_even (n : Nat) (h : n % 2 = 0) : n * n % 4 = 0
-- expect: accepted
theorem double (n : Nat) (h : n % 2 = 0) : ∃ k, n = 2 * k := ⟨n / 2, by omega⟩

theorem square_even (n : Nat) (h : n % 2 = 0) : n * n % 4 = 0 := by
  obtain ⟨k, rfl⟩ := double n h
  have : 2 * k * (2 * k) = 4 * (k * k) := by grind
  omega
