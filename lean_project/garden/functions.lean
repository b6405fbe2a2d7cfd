-- statement: theorem composed (f : Nat → Nat) (h : ∀ x, f (f x) = x) : f ∘ f = id
-- expect: accepted
def Injective' (f : α → β) : Prop := ∀ ⦃a b⦄, f a = f b → a = b

theorem injective_comp {f : β → γ} {g : α → β} (hf : Injective' f) (hg : Injective' g) :
    Injective' (f ∘ g) := fun _ _ h => hg (hf h)

theorem composed (f : Nat → Nat) (h : ∀ x, f (f x) = x) : f ∘ f = id := by
  funext x
  exact h x
