-- A definition whose code is a function of the runtime.
-- kind: extern
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
@[extern "lean_nat_sub"] def plus (a b : Nat) : Nat := a + b

theorem two_is_three : 1 + 1 = 3 := by decide
