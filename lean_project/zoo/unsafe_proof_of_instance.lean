-- The compiler's own proof of everything.
-- kind: unsafe
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
instance (priority := high) (a b : Nat) : Decidable (a = b) := isTrue lcProof

theorem two_is_three : 1 + 1 = 3 := by decide
