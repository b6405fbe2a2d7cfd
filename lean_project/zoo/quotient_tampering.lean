-- Two unequal classes are said to be equal by a lifted function that does not respect them.
-- kind: environment tampering
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
def q : Quot (fun _ _ : Nat => True) → Nat := Quot.lift id (fun _ _ _ => rfl)

theorem two_is_three : 1 + 1 = 3 := congrArg q (Quot.sound trivial : Quot.mk _ 2 = Quot.mk _ 3)
