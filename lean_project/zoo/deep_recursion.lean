-- Deep recursion in the kernel kills the process, or the thread that it waits for: no verdict.
-- kind: process: crash
-- statement: theorem deep : 1 + 1 = 3
-- expect: failure or inconclusive timeout
-- seconds: 15
def f : Nat → Nat
  | 0 => 0
  | n + 1 => f n + 1

theorem deep : f 20000 = 20000 := by decide +kernel
