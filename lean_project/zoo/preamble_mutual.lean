-- Our own copy of the statement falls into a block of mutual definitions that proves itself.
-- kind: partial
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
mutual
theorem helper : 1 + 1 = 3 := two_is_three
-- proof:
helper
end
