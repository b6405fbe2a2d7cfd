-- A simplification procedure runs code.
-- kind: metaprograms
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
simproc always (_ + _) := fun _ => return .continue

theorem two_is_three : 1 + 1 = 3 := by simp
