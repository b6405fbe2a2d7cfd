-- A cast between unrelated types.
-- kind: unsafe
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error or rejected forbidden_construct
def bad : 1 + 1 = 3 := unsafeCast True.intro

theorem two_is_three : 1 + 1 = 3 := bad
