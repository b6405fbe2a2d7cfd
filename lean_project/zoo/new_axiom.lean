-- A new axiom proves anything, silently.
-- kind: axioms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_axiom
axiom wish : False

theorem two_is_three : 1 + 1 = 3 := wish.elim
