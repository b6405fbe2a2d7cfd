-- The attribute by `attribute … in`.
-- kind: implemented_by
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
def bad (_ : Nat) : Bool := true
def never (_ : Nat) : Bool := false
attribute [local implemented_by bad] never in
theorem two_is_three : 1 + 1 = 3 := by decide
