-- `native_decide` by a configuration.
-- kind: axioms
-- statement: theorem power : 10 ^ 5 % 7 = 5
-- expect: rejected forbidden_axiom
theorem power : 10 ^ 5 % 7 = 5 := by decide (config := { native := true })
