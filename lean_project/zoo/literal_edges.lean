-- The kernel's arithmetic on large numbers and strings at its edges.
-- kind: kernel switched off
-- statement: theorem edges : (2 ^ 64 - 1 : Nat) + 1 = 0 ∨ (0 : Nat) - 1 = 18446744073709551615 ∨ (5 : Nat) / 0 = 5
-- expect: rejected elaboration_error
theorem edges : (2 ^ 64 - 1 : Nat) + 1 = 0 ∨ (0 : Nat) - 1 = 18446744073709551615 ∨ (5 : Nat) / 0 = 5 := by
  first
  | exact .inl (by decide +kernel)
  | exact .inr (.inl (by decide +kernel))
  | exact .inr (.inr (by decide +kernel))
