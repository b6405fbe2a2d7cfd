-- A file is read while elaborating.
-- kind: process: file access
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
#eval (do IO.println (← IO.FS.readFile "/etc/passwd") : IO Unit)

theorem two_is_three : 1 + 1 = 3 := by omega
