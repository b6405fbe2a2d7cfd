-- A notation of higher priority than `=`.
-- kind: statement: notation
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
local notation:50 (priority := high) a:51 " = " b:51 => (fun _ _ => True) a b

theorem two_is_three : 1 + 1 = 3 := trivial
