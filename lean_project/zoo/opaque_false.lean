-- An opaque constant with an axiom for its value.
-- kind: opaque
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
axiom wish : False
opaque hidden : False := wish

theorem two_is_three : 1 + 1 = 3 := hidden.elim
