-- Declared twice, the second time with a proof.
-- kind: twice
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected elaboration_error
theorem two : True := trivial
theorem two : 1 + 1 = 2 := rfl
