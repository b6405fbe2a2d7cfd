-- statement: theorem both (α : Type u) (β : Type v) (a : α) (b : β) : ∃ p : α × β, p.1 = a ∧ p.2 = b
-- expect: accepted
universe u v w

inductive Either (α : Type u) (β : Type v) : Type (max u v)
  | left (a : α)
  | right (b : β)

structure Bundle.{x} : Type (x + 1) where
  carrier : Type x
  point : carrier

def pointed (α : Type w) [Inhabited α] : Bundle.{w} := ⟨α, default⟩

theorem Either.cases' {p : Either α β → Prop} (l : ∀ a, p (.left a)) (r : ∀ b, p (.right b)) :
    ∀ e, p e
  | .left a => l a
  | .right b => r b

theorem both (α : Type u) (β : Type v) (a : α) (b : β) : ∃ p : α × β, p.1 = a ∧ p.2 = b :=
  ⟨(a, b), rfl, rfl⟩
