-- A structure too small for what it contains.
-- kind: environment tampering
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
structure Small : Type where
  carrier : Type
  point : carrier

theorem two_is_three : 1 + 1 = 3 := by omega
