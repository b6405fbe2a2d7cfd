-- A section variable becomes a hypothesis.
-- kind: statement: variable
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
variable (h : False)
include h

theorem two_is_three : 1 + 1 = 3 := h.elim
