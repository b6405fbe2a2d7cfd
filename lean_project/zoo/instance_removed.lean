-- The usual instance is taken away, and another one is found.
-- kind: statement: instance
-- statement: theorem ordered : (3 : Nat) ≤ 2
-- expect: rejected statement_mismatch
attribute [-instance] instLENat
instance : LE Nat := ⟨fun _ _ => True⟩

theorem ordered : (3 : Nat) ≤ 2 := trivial
