-- A rewriting that only the compiler believes.
-- kind: implemented_by
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
def f (n : Nat) : Nat := n
def g (n : Nat) : Nat := n
@[csimp] theorem f_is_g : @f = @g := rfl

theorem two_is_three : 1 + 1 = 3 := by native_decide
