-- Code that runs when the file is loaded.
-- kind: initialize
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
initialize counter : IO.Ref Nat ← IO.mkRef 0

theorem two_is_three : 1 + 1 = 3 := by omega
