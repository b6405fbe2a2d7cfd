-- A private definition has the name of one in the header.
-- kind: redefined constant
-- header: def limit : Nat := 3
-- statement: theorem low : limit = 9
-- expect: rejected elaboration_error or rejected statement_mismatch
private def limit : Nat := 9

theorem low : limit = 9 := rfl
