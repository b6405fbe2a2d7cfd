-- `obtain`, `rcases`, `rintro`-like patterns, `have` with patterns, `fun` with patterns.
-- statement: theorem taken (p q : Nat → Prop) (h : ∃ n, p n ∧ (q n ∨ n = 0)) : ∃ n, p n
-- expect: accepted
theorem by_rcases (p q : Nat → Prop) (h : ∃ n, p n ∧ (q n ∨ n = 0)) : ∃ n, p n := by
  rcases h with ⟨n, hp, hq | rfl⟩
  · exact ⟨n, hp⟩
  · exact ⟨0, hp⟩

theorem by_have (p q : Nat → Prop) (h : ∃ n, p n ∧ q n) : ∃ n, q n := by
  have ⟨n, _, hq⟩ := h
  exact ⟨n, hq⟩

theorem by_fun (p q : Nat → Prop) : (∃ n, p n ∧ q n) → ∃ n, q n ∧ p n :=
  fun ⟨n, hp, hq⟩ => ⟨n, hq, hp⟩

theorem by_match (p : Nat → Prop) : (∃ n, p n) → True
  | ⟨_, _⟩ => trivial

theorem taken (p q : Nat → Prop) (h : ∃ n, p n ∧ (q n ∨ n = 0)) : ∃ n, p n := by
  obtain ⟨n, hp, -⟩ := h
  exact ⟨n, hp⟩
