-- Vectors, equality of one's own, an inductive predicate and its inversion.
-- statement: theorem even_sum (a b : Nat) : a % 2 = 0 → b % 2 = 0 → (a + b) % 2 = 0
-- expect: accepted
inductive Vect (α : Type u) : Nat → Type u
  | nil : Vect α 0
  | cons {n : Nat} (head : α) (tail : Vect α n) : Vect α (n + 1)

namespace Vect
def head : Vect α (n + 1) → α
  | cons a _ => a

def append : Vect α n → Vect α m → Vect α (m + n)
  | nil, w => w
  | cons a v, w => cons a (append v w)

theorem head_append (v : Vect α (n + 1)) (w : Vect α m) : (append v w).head = v.head := by
  cases v
  rfl
end Vect

inductive IsEven : Nat → Prop
  | zero : IsEven 0
  | step (h : IsEven n) : IsEven (n + 2)

theorem IsEven.add (h : IsEven a) (k : IsEven b) : IsEven (b + a) := by
  induction h with
  | zero => exact k
  | step _ ih => exact ih.step

theorem not_one : ¬ IsEven 1 := nofun

inductive Same {α : Sort u} (a : α) : α → Prop
  | refl : Same a a

theorem even_sum (a b : Nat) : a % 2 = 0 → b % 2 = 0 → (a + b) % 2 = 0 := by omega
