-- An opaque constant with unsafe code.
-- kind: unsafe
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
unsafe def five : Nat := 5

@[implemented_by five] opaque number : Nat

theorem two_is_three : 1 + 1 = 3 := by decide
