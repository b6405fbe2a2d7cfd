-- statement: theorem leaf_count : ∃ n : Nat, n = 3
-- expect: accepted
inductive Tree (α : Type)
  | leaf (value : α)
  | node (children : List (Tree α))

mutual
  inductive Left
    | stop
    | go (r : Right)
  inductive Right
    | go (l : Left)
end

theorem leaf_count : ∃ n : Nat, n = 3 := ⟨3, rfl⟩
