-- Very many messages; the answer keeps some of them.
-- kind: process: flood of output
-- statement: theorem two_is_three : 1 + 1 = 3
-- repeat: 500 #check Nat\n
-- expect: rejected statement_mismatch or inconclusive output_limit
§
theorem two : 1 + 1 = 2 := rfl
