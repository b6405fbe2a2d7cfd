-- Proved for one universe only.
-- kind: statement: universe
-- statement: theorem every (α : Type 1) (a : α) : a = a
-- expect: rejected statement_mismatch
theorem every (α : Type) (a : α) : a = a := rfl
