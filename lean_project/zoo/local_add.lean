-- Addition of numerals is redefined by an instance.
-- kind: statement: instance
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
local instance (priority := 10000) odd : Add Nat := ⟨fun _ _ => 3⟩

theorem two_is_three : 1 + 1 = 3 := rfl
