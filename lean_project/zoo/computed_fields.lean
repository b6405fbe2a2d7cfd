-- Fields whose code is not their definition.
-- kind: implemented_by
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
inductive Tree
  | leaf
  | node (l r : Tree)
with
  @[computed_field] size : Tree → Nat
    | .leaf => 1
    | .node l r => l.size + r.size

theorem two_is_three : 1 + 1 = 3 := by omega
