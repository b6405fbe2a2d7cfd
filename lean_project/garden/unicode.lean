-- statement: theorem größe (α β : Nat) (h₁ : α ≤ β) : ∃ δ, β = α + δ
-- expect: accepted
theorem größe (α β : Nat) (h₁ : α ≤ β) : ∃ δ, β = α + δ :=
  ⟨β - α, by omega⟩
