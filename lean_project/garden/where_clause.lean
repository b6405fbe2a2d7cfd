-- statement: theorem bound (n : Nat) : n ≤ n * n
-- expect: accepted
theorem bound (n : Nat) : n ≤ n * n := main n
where
  main : ∀ m : Nat, m ≤ m * m
    | 0 => Nat.le_refl 0
    | m + 1 => Nat.le_mul_of_pos_right _ (Nat.succ_pos m)
