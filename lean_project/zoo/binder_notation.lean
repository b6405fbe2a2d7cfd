-- A quantifier gets another meaning.
-- kind: statement: notation
-- statement: theorem none_larger : ∃ n : Nat, n < 0
-- expect: rejected statement_mismatch or rejected elaboration_error
local notation (priority := high) "∃" x " : " t ", " p => (fun (x : t) => p) = (fun (x : t) => p)

theorem none_larger : ∃ n : Nat, n < 0 := rfl
