-- The same option, set by the tactic block.
-- kind: kernel switched off
-- statement: theorem one_is_two : 1 = 2
-- expect: rejected forbidden_construct
theorem one_is_two : 1 = 2 := by
  set_option debug.skipKernelTC true in
  decide +kernel
