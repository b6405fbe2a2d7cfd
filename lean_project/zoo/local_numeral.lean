-- The numeral 3 is redefined by an instance.
-- kind: statement: instance
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
local instance (priority := 10000) three : OfNat Nat 3 := ⟨2⟩

theorem two_is_three : 1 + 1 = 3 := rfl
