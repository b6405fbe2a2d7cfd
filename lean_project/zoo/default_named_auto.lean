-- The same, under a name as the elaborator gives.
-- kind: metaprograms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
def two_is_three._auto_1 : Lean.Syntax := .missing

theorem two_is_three : 1 + 1 = 3 := by omega
