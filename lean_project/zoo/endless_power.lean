-- Heartbeats do not stop the kernel's arithmetic: only a kill does.
-- kind: process: endless kernel
-- seconds: 4
-- statement: theorem power : 3 ^ 16777215 % 7 = 6
-- expect: inconclusive timeout
theorem power : 3 ^ 16777215 % 7 = 6 := by decide +kernel
