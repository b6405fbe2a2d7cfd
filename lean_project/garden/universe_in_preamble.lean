-- A universe name of the preamble takes the place of the statement's own.
-- statement: theorem every (α : Type u) (a b : α) : Nonempty α
-- expect: accepted
universe u
-- proof:
⟨a⟩
