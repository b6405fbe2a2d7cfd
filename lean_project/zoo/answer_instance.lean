-- The right side is made the answer by an instance.
-- kind: answer-hole gaming
-- header: def answer : Nat := 3
-- statement: theorem solution : answer = 4
-- expect: rejected statement_mismatch
instance (priority := 5000) : OfNat Nat 4 := ⟨answer⟩

theorem solution : answer = 4 := rfl
