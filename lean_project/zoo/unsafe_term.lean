-- Unsafe code inside a safe proof.
-- kind: unsafe
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
theorem two_is_three : 1 + 1 = 3 := unsafe lcProof
