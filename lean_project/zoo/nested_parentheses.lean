-- Deeper than any parser can follow: made by the test, which repeats the marked line.
-- kind: process: endless parser
-- statement: theorem two_is_three : 1 + 1 = 3
-- repeat: 40000 (
-- seconds: 8
-- expect: failure or rejected elaboration_error or inconclusive timeout
theorem two_is_three : 1 + 1 = 3 := §
