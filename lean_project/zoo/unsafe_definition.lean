-- An unsafe definition proves `False` by calling itself.
-- kind: unsafe
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
unsafe def loop : False := loop

theorem two_is_three : 1 + 1 = 3 := loop.elim
