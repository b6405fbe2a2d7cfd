-- A constant that looks like choice, in a class.
-- kind: axioms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_axiom
class Magic where
  choice : ∀ p : Prop, p
axiom magic : Magic

theorem two_is_three : 1 + 1 = 3 := magic.choice _
