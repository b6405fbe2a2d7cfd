-- Mutual types with parameters, mutual predicates, functions over them, their measure.
-- statement: theorem odd_even : ∀ n : Nat, n % 2 = 0 ∨ n % 2 = 1
-- expect: accepted
mutual
  inductive Tree (α : Type u)
    | node (value : α) (children : Forest α)
  inductive Forest (α : Type u)
    | nil
    | cons (first : Tree α) (rest : Forest α)
end

mutual
  def Tree.size : Tree α → Nat
    | .node _ f => f.size + 1
  def Forest.size : Forest α → Nat
    | .nil => 0
    | .cons t f => t.size + f.size
end

theorem Tree.size_pos (t : Tree α) : 0 < t.size := by
  cases t
  simp [Tree.size]

mutual
  inductive Ev : Nat → Prop
    | zero : Ev 0
    | next : Od n → Ev (n + 1)
  inductive Od : Nat → Prop
    | next : Ev n → Od (n + 1)
end

theorem ev_or_od : ∀ n, Ev n ∨ Od n
  | 0 => .inl .zero
  | n + 1 => (ev_or_od n).symm.imp .next .next

theorem odd_even : ∀ n : Nat, n % 2 = 0 ∨ n % 2 = 1 := fun n => by omega
