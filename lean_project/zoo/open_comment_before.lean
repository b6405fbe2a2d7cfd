-- The preamble ends in a comment that swallows the statement; the proof states another one.
-- kind: inside a comment
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
/-

theorem two_is_three : 1 + 1 = 3 := -/ theorem two_is_three : True := trivial
