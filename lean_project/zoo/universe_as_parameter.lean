-- A universe variable of the candidate's makes the theorem more special.
-- kind: statement: universe
-- statement: theorem every (α : Type) (β : Type 1) : Nonempty (α → β → α)
-- expect: rejected statement_mismatch
universe u
theorem every (α : Type u) (β : Type 1) : Nonempty (α → β → α) := ⟨fun a _ => a⟩
