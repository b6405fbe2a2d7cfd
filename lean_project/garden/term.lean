-- statement: theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p
-- expect: accepted
theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩
