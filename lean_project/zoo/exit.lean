-- `#exit` ends the file before the theorem.
-- kind: after #exit
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
theorem other : True := trivial
#exit
theorem two_is_three : 1 + 1 = 3 := by omega
