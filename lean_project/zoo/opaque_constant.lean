-- An opaque constant can stand for anything.
-- kind: opaque
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
opaque number : Nat

theorem two_is_three : 1 + 1 = 3 := by decide
