-- An allowed axiom cannot be declared again with another type.
-- kind: axioms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
axiom propext : False

theorem two_is_three : 1 + 1 = 3 := propext.elim
