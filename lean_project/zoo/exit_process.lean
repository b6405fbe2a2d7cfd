-- A program ends the checker.
-- kind: process: exit
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
#eval (IO.Process.exit 0 : IO Unit)

theorem two_is_three : 1 + 1 = 3 := by omega
