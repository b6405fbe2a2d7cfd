-- The preamble leaves a variable that our own copy of the statement takes in.
-- kind: statement: variable
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
variable (h : 1 + 1 = 3)
include h
-- proof:
h
