-- Compiled code that is not the definition, believed by `native_decide`.
-- kind: implemented_by
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
def bad (_ : Nat) : Bool := true

@[implemented_by bad] def never (_ : Nat) : Bool := false

theorem absurdly : never 0 = true := by native_decide

theorem two_is_three : 1 + 1 = 3 := absurd absurdly (by decide)
