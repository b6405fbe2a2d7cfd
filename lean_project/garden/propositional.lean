-- statement: theorem peirce (p q : Prop) : ((p → q) → p) → p
-- expect: accepted
theorem de_morgan (p q : Prop) : ¬ (p ∨ q) ↔ ¬ p ∧ ¬ q :=
  ⟨fun h => ⟨fun hp => h (.inl hp), fun hq => h (.inr hq)⟩, fun ⟨hp, hq⟩ h => h.elim hp hq⟩

theorem contrapositive {p q : Prop} (h : ¬ q → ¬ p) : p → q := by
  intro hp
  by_cases hq : q
  · exact hq
  · exact absurd hp (h hq)

theorem peirce (p q : Prop) : ((p → q) → p) → p := by
  intro h
  apply Classical.byContradiction
  intro hp
  exact hp (h fun hp' => absurd hp' hp)
