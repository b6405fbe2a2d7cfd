-- An axiom for a definition that a lemma uses, two steps away.
-- kind: axioms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_axiom
axiom bridge (p : Prop) : p = True
theorem step (p : Prop) : p := (bridge p).symm ▸ trivial
theorem next (p : Prop) : p := step p

theorem two_is_three : 1 + 1 = 3 := next _
