-- One proof of four hundred lines.
-- statement: theorem long (n : Nat) : n ≤ n + 2000
-- repeat: 200   have h{i} : n + {i} ≤ n + {i} + 1 := Nat.le_succ _\n  clear h{i}\n
-- seconds: 120
-- expect: accepted
theorem long (n : Nat) : n ≤ n + 2000 := by
§  omega
