-- statement: theorem chosen (n : Nat) : (if n = 0 then 1 else n) ≥ 1 ∧ (let m := n + 1; m * m > n)
-- expect: accepted
theorem chosen (n : Nat) : (if n = 0 then 1 else n) ≥ 1 ∧ (let m := n + 1; m * m > n) := by
  constructor
  · split <;> omega
  · intro m
    show n < (n + 1) * (n + 1)
    calc n < n + 1 := Nat.lt_succ_self n
      _ ≤ (n + 1) * (n + 1) := Nat.le_mul_of_pos_left _ (Nat.succ_pos n)
