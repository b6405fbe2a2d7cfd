-- A function that never returns would inhabit `False`.
-- kind: partial
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
partial def loop (n : Nat) : False := loop (n + 1)

theorem two_is_three : 1 + 1 = 3 := (loop 0).elim
