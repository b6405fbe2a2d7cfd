-- Structures and inductive types in Prop, their projections and their recursion.
-- statement: theorem bounds (n : Nat) (h : 3 < n ∧ n < 5) : n = 4
-- expect: accepted
structure Between (a n b : Nat) : Prop where
  lower : a < n
  upper : n < b

inductive Star (r : α → α → Prop) (a : α) : α → Prop
  | refl : Star r a a
  | tail (h : Star r a b) (step : r b c) : Star r a c

theorem Star.trans {r : α → α → Prop} (h : Star r a b) (k : Star r b c) : Star r a c := by
  induction k with
  | refl => exact h
  | tail _ step ih => exact ih.tail step

class inductive Nonvoid (α : Sort u) : Prop
  | intro (a : α)

instance : Nonvoid Nat := ⟨0⟩

theorem Between.eq (h : Between a n (a + 2)) : n = a + 1 := by
  have := h.lower
  have := h.upper
  omega

theorem bounds (n : Nat) (h : 3 < n ∧ n < 5) : n = 4 := Between.eq (a := 3) ⟨h.1, h.2⟩
