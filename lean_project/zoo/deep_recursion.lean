-- Deep recursion in the kernel kills the process: silence is no verdict.
-- statement: theorem deep : 1 + 1 = 3
-- expect: failure
def f : Nat → Nat
  | 0 => 0
  | n + 1 => f n + 1

theorem deep : f 20000 = 20000 := by decide +kernel
