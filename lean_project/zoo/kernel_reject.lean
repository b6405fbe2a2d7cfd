-- A failed kernel check leaves the theorem in the environment, as an axiom.
-- kind: kernel switched off
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
theorem two_is_three : 1 + 1 = 3 := by decide +kernel
