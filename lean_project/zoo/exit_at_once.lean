-- The file ends before it begins.
-- kind: after #exit
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected forbidden_construct
#exit
theorem two : 1 + 1 = 2 := rfl
