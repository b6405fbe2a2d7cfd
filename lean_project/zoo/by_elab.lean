-- A term that runs a program.
-- kind: metaprograms
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
theorem two_is_three : 1 + 1 = 3 := by_elab do return Lean.mkConst ``True.intro
