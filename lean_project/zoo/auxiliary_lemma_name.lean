-- A lemma takes the name that Lean would give the theorem's own inner proof.
-- kind: environment tampering
-- statement: theorem first (f : Fin 3 → Nat) : f ⟨0, by omega⟩ = f 1
-- expect: rejected elaboration_error or rejected statement_mismatch
theorem first._proof_1 : 0 < 3 := by decide
theorem first (f : Fin 3 → Nat) : f ⟨0, by omega⟩ = f 1 := rfl
