-- A program that never ends.
-- kind: process: endless #eval
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
#eval (do repeat pure () : IO Unit)

theorem two_is_three : 1 + 1 = 3 := by omega
