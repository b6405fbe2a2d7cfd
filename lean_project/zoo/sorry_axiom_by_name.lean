-- The axiom behind `sorry`, called directly: no warning names it.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry
theorem two_is_three : 1 + 1 = 3 := sorryAx (1 + 1 = 3) false
