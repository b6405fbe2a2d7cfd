-- The universe parameters in another order are another declaration.
-- kind: statement: universe
-- statement: theorem every.{u, v} (α : Type u) (β : Type v) (a : α) (b : β) : (a, b) = (a, b)
-- expect: rejected statement_mismatch
theorem every.{v, u} (α : Type u) (β : Type v) (a : α) (b : β) : (a, b) = (a, b) := rfl
