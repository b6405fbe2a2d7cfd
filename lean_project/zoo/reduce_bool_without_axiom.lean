-- The kernel runs compiled code, and no axiom says so.
-- kind: axioms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_axiom
theorem ran : Lean.reduceBool System.Platform.isWindows = false := rfl

theorem two_is_three : 1 + 1 = 3 := by have := ran; omega
