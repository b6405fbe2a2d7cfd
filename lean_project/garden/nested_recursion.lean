-- Recursion through a list of subtrees, structural and by a measure.
-- statement: theorem sums (l : List Nat) : l.sum = l.foldr (· + ·) 0
-- expect: accepted
inductive Rose (α : Type)
  | node (value : α) (children : List (Rose α))

namespace Rose
def size : Rose α → Nat
  | node _ cs => 1 + (cs.attach.map fun ⟨c, _⟩ => c.size).sum
termination_by t => sizeOf t
decreasing_by
  have := List.sizeOf_lt_of_mem ‹_›
  simp_wf
  omega

theorem size_pos (t : Rose α) : 0 < t.size := by
  cases t
  simp [size]
  omega
end Rose

mutual
  def depth : Rose α → Nat
    | .node _ cs => depths cs + 1
  def depths : List (Rose α) → Nat
    | [] => 0
    | c :: cs => max (depth c) (depths cs)
end

theorem sums (l : List Nat) : l.sum = l.foldr (· + ·) 0 := by
  induction l with
  | nil => rfl
  | cons x xs ih => simp [List.sum_cons, ih]
