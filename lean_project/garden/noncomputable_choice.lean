-- statement: theorem has_root (f : Nat → Nat) (h : ∀ y, ∃ x, f x = y) : ∃ g : Nat → Nat, ∀ y, f (g y) = y
-- expect: accepted
noncomputable section
open Classical

def preimage (f : Nat → Nat) (h : ∀ y, ∃ x, f x = y) (y : Nat) : Nat := choose (h y)

theorem preimage_spec (f : Nat → Nat) (h : ∀ y, ∃ x, f x = y) (y : Nat) :
    f (preimage f h y) = y := choose_spec (h y)

def decision (p : Prop) : Nat := if p then 1 else 0

theorem decision_le (p : Prop) : decision p ≤ 1 := by
  unfold decision
  split <;> simp
end

noncomputable def someNat : Nat := Classical.choice ⟨3⟩

theorem has_root (f : Nat → Nat) (h : ∀ y, ∃ x, f x = y) : ∃ g : Nat → Nat, ∀ y, f (g y) = y :=
  ⟨preimage f h, preimage_spec f h⟩
