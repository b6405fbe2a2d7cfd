-- Two structures are equal only if their fields are.
-- kind: environment tampering
-- statement: theorem pairs : (1, 2) = (1, 3)
-- expect: rejected elaboration_error
theorem pairs : (1, 2) = (1, 3) := rfl
