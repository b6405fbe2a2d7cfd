-- A coercion makes a proposition of what was none, and it is true.
-- kind: statement: coercion
-- statement: theorem small (n : Nat) (h : n < 3) : n = 5
-- expect: rejected statement_mismatch
structure Truth where
  holds : Prop
instance : CoeSort Truth Prop := ⟨fun _ => True⟩

theorem small (n : Nat) (h : n < 3) : (⟨n = 5⟩ : Truth) := trivial
