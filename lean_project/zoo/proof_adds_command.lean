-- The proof ends early; commands follow that state the theorem again.
-- kind: twice
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error or rejected contains_sorry

-- proof:
sorry
theorem two_is_three' : 1 + 1 = 2 := rfl
