-- Compiled code is believed through an axiom.
-- kind: axioms
-- statement: theorem power : 10 ^ 5 % 7 = 5
-- expect: rejected forbidden_axiom
theorem power : 10 ^ 5 % 7 = 5 := by native_decide
