-- One hypothesis more.
-- kind: statement: changed
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
theorem two_is_three (h : False) : 1 + 1 = 3 := h.elim
