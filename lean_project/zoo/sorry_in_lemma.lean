-- The theorem looks complete; the lemma below it is not.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry
theorem gap : 1 + 1 = 3 := sorry

theorem two_is_three : 1 + 1 = 3 := gap
