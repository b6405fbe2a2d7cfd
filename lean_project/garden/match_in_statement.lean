-- statement: theorem branch (n : Nat) : (match n with | 0 => 0 | m + 1 => m) ≤ n
-- expect: accepted
theorem branch (n : Nat) : (match n with | 0 => 0 | m + 1 => m) ≤ n := by
  cases n with
  | zero => exact Nat.le_refl 0
  | succ m => exact Nat.le_succ m
