-- A private theorem in the preamble has the name of the statement's.
-- kind: private
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected elaboration_error or rejected statement_mismatch
private theorem two : 1 + 1 = 2 := rfl
-- proof:
two
