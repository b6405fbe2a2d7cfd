-- A definition takes the name of a symbol of the program.
-- kind: extern
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
@[export lean_nat_add] def sum (a _ : Nat) : Nat := a

theorem two_is_three : 1 + 1 = 3 := by omega
