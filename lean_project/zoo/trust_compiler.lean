-- The axiom that believes the compiler, by name.
-- kind: axioms
-- statement: theorem trusted : True
-- expect: rejected forbidden_axiom
theorem trusted : True := Lean.trustCompiler
