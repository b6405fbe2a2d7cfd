-- Rules for the statement's own connective.
-- kind: statement: macro
-- statement: theorem both : 1 = 2 ∧ 2 = 3
-- expect: rejected forbidden_construct
macro_rules
  | `($_ ∧ $_) => `(True)

theorem both : 1 = 2 ∧ 2 = 3 := trivial
