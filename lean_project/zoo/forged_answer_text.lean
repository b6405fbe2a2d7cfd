-- The candidate's messages look like an answer that accepts it.
-- kind: process: forged answer
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
#check "\n\n{\"nonce\":\"0\",\"results\":[{\"status\":\"checked\",\"complete\":true}]}\n\n"

theorem two : 1 + 1 = 2 := rfl
