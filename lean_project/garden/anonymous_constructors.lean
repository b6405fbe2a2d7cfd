-- statement: theorem packed : ∃ x y z : Nat, x < y ∧ y < z ∧ (x + y = z ∨ z = 0)
-- expect: accepted
theorem packed : ∃ x y z : Nat, x < y ∧ y < z ∧ (x + y = z ∨ z = 0) :=
  ⟨1, 2, 3, by decide, by decide, .inl rfl⟩
