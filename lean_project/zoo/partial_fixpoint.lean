-- A fixpoint without an end cannot have a proposition's type.
-- kind: partial
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
def loop (n : Nat) : 1 + 1 = 3 := loop (n + 1)
partial_fixpoint

theorem two_is_three : 1 + 1 = 3 := loop 0
