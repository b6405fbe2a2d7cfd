-- Naturals become integers by a coercion of the candidate's.
-- kind: statement: coercion
-- statement: theorem seven (n : Nat) : (n : Int) = 0
-- expect: rejected statement_mismatch
instance (priority := 10000) zeroed : IntCast Int := ⟨fun _ => 0⟩
instance (priority := 10000) : NatCast Int := ⟨fun _ => 0⟩

theorem seven (n : Nat) : (n : Int) = 0 := rfl
