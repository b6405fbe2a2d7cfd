-- statement: theorem subset_trans' (p q r : Nat → Prop) (h : ∀ x, p x → q x) (k : ∀ x, q x → r x) : ∀ x, p x → r x
-- expect: accepted
def Set' (α : Type u) := α → Prop

namespace Set'
instance : Membership α (Set' α) := ⟨fun s a => s a⟩
instance : HasSubset (Set' α) := ⟨fun s t => ∀ a, a ∈ s → a ∈ t⟩
instance : Union (Set' α) := ⟨fun s t a => a ∈ s ∨ a ∈ t⟩
instance : Inter (Set' α) := ⟨fun s t a => a ∈ s ∧ a ∈ t⟩

@[ext] theorem ext {s t : Set' α} (h : ∀ a, a ∈ s ↔ a ∈ t) : s = t := funext fun a => propext (h a)

theorem inter_comm (s t : Set' α) : s ∩ t = t ∩ s := by
  ext a
  exact And.comm

theorem subset_union (s t : Set' α) : s ⊆ s ∪ t := fun _ h => Or.inl h
end Set'

theorem subset_trans' (p q r : Nat → Prop) (h : ∀ x, p x → q x) (k : ∀ x, q x → r x) :
    ∀ x, p x → r x := fun x hx => k x (h x hx)
