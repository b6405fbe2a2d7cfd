-- The options of the kernel and of its compiler friends.
-- kind: kernel switched off
-- statement: theorem one_is_two : 1 = 2
-- expect: rejected forbidden_construct
set_option debug.proofAsSorry true
set_option debug.skipKernelTC true in
theorem one_is_two : 1 = 2 := by decide +kernel
