-- A number that no memory holds.
-- kind: process: memory bomb
-- seconds: 6
-- statement: theorem huge : 2 ^ (2 ^ 40) % 2 = 1
-- expect: rejected elaboration_error or inconclusive memory_limit or inconclusive timeout or failure
theorem huge : 2 ^ (2 ^ 40) % 2 = 1 := by decide +kernel
