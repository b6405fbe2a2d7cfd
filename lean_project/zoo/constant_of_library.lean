-- A library constant cannot be declared again.
-- kind: redefined constant
-- statement: theorem greatest : Nat.gcd 1 1 = 0
-- expect: rejected elaboration_error
def Nat.gcd (_ _ : Nat) : Nat := 0

theorem greatest : Nat.gcd 1 1 = 0 := rfl
