-- A helper that states the same inner proof: Lean makes its lemma once, under the helper's name.
-- statement: theorem first (f : Fin 3 → Nat) : f ⟨0, by omega⟩ = f 0
-- expect: accepted
theorem helper (f : Fin 3 → Nat) : f ⟨0, by omega⟩ = f 0 := rfl

theorem first (f : Fin 3 → Nat) : f ⟨0, by omega⟩ = f 0 := helper f
