-- Whether something holds is decided by the candidate's instance inside the statement.
-- kind: statement: instance
-- statement: theorem branch : (if 1 = 2 then 0 else 1) = 0
-- expect: rejected statement_mismatch
local instance (priority := 10000) always : Decidable (1 = 2) := .isFalse (by decide)

theorem branch : (if 1 = 2 then 0 else 1) = (if 1 = 2 then 0 else 1) := rfl
