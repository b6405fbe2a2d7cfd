-- `=` means `True` from here on.
-- kind: statement: macro
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
local macro_rules | `($_ = $_) => `(True)

theorem two_is_three : 1 + 1 = 3 := trivial
