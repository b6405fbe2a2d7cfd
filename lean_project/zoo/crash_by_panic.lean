-- A program that panics, and one that divides its own stack.
-- kind: process: crash
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
#eval (panic! "stop" : Nat)

theorem two_is_three : 1 + 1 = 3 := by omega
