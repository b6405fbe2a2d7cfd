-- Another addition is the instance, by an attribute given later.
-- kind: statement: instance
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
def three : Add Nat := ⟨fun _ _ => 3⟩
attribute [local instance] three

theorem two_is_three : 1 + 1 = 3 := rfl
