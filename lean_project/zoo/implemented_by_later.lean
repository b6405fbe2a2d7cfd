-- The attribute is given after the definition.
-- kind: implemented_by
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
def bad (_ : Nat) : Bool := true
def never (_ : Nat) : Bool := false
attribute [implemented_by bad] never

theorem two_is_three : 1 + 1 = 3 := by omega
