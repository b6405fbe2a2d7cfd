-- Numerals of integers mean something else.
-- kind: statement: instance
-- statement: theorem five_is_six : (5 : Int) = 6
-- expect: rejected statement_mismatch
@[local instance 20000] def six : OfNat Int 6 := ⟨5⟩

theorem five_is_six : (5 : Int) = 6 := rfl
