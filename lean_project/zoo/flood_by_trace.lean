-- An error message that grows with every step.
-- kind: process: flood of output
-- statement: theorem two_is_three : 1 + 1 = 3
-- repeat: 400 theorem wrong : 1 = 2 := rfl\n
-- seconds: 60
-- expect: rejected elaboration_error or inconclusive output_limit or inconclusive timeout
§
theorem two_is_three : 1 + 1 = 3 := rfl
