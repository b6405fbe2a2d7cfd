-- The preamble leaves a notation for a part of our own copy of the statement.
-- kind: statement: notation
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
local infix:50 (priority := high) " = " => fun (_ _ : Nat) => True
-- proof:
trivial
