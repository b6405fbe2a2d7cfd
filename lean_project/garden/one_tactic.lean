-- statement: theorem positive (n : Nat) (h : 0 < n) : n ≠ 0
-- expect: accepted
theorem positive (n : Nat) (h : 0 < n) : n ≠ 0 := by omega
