-- Nothing at all.
-- kind: declaration missing
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error

