-- The same option, set inside the proof.
-- kind: kernel switched off
-- statement: theorem one_is_two : 1 = 2
-- expect: rejected forbidden_construct
theorem one_is_two : 1 = 2 :=
  set_option debug.skipKernelTC true in by decide +kernel
