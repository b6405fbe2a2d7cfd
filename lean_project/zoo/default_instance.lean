-- Numerals are booleans by default.
-- kind: statement: instance
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
instance unitNumeral : OfNat Unit n := ⟨()⟩
instance : Add Unit := ⟨fun _ _ => ()⟩
attribute [default_instance high] unitNumeral

theorem two_is_three : 1 + 1 = 3 := rfl
