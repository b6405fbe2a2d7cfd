-- statement: theorem flip_flip : ∀ n : Nat, n < 3 → (n + 3) % 3 = n
-- expect: accepted
inductive Colour
  | red | green | blue
  deriving DecidableEq, Repr

structure Pair (α : Type) where
  first : α
  second : α

def Colour.next : Colour → Colour
  | .red => .green
  | .green => .blue
  | .blue => .red

theorem Colour.round (c : Colour) : c.next.next.next = c := by cases c <;> rfl

theorem flip_flip : ∀ n : Nat, n < 3 → (n + 3) % 3 = n := by
  intro n h
  omega
