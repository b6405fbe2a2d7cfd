-- A definition that runs at elaboration.
-- kind: metaprograms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
meta def f : Nat := 0

theorem two_is_three : 1 + 1 = 3 := by omega
