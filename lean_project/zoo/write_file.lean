-- A program writes a file.
-- kind: process: file access
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
#eval (IO.FS.writeFile "/program/written" "x" : IO Unit)

theorem two_is_three : 1 + 1 = 3 := by omega
