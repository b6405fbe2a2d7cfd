-- The kernel is told not to look: 1 = 2 with no message and no axiom.
-- kind: kernel switched off
-- statement: theorem one_is_two : 1 = 2
-- expect: rejected forbidden_construct
set_option debug.skipKernelTC true

theorem one_is_two : 1 = 2 := by decide +kernel
