-- A term that does not elaborate becomes sorry; `first` and `try` do not hide it.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
theorem gap : 1 + 1 = 3 := by
  first
  | exact (nothing_of_the_kind : 1 + 1 = 3)
  | try omega

theorem two_is_three : 1 + 1 = 3 := gap
