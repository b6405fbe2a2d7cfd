-- A list that doubles forty times.
-- kind: process: memory bomb
-- seconds: 6
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error or inconclusive memory_limit or inconclusive timeout or failure
def grow : Nat → List Nat → List Nat
  | 0, l => l
  | n + 1, l => grow n (l ++ l)

theorem long : (grow 40 [1]).length = 3 := by decide +kernel

theorem two_is_three : 1 + 1 = 3 := by omega
