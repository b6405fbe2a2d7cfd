-- A program that would speak with another machine is started.
-- kind: process: network access
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
#eval (do let _ ← IO.Process.run { cmd := "curl", args := #["http://localhost/"] } : IO Unit)

theorem two_is_three : 1 + 1 = 3 := by omega
