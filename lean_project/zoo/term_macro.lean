-- A macro stands for a constant of the statement.
-- kind: statement: macro
-- statement: theorem two_is_three : Nat.succ 1 = 3
-- expect: rejected forbidden_construct
macro (priority := high) "Nat.succ" n:term:max : term => `($n + 2)

theorem two_is_three : Nat.succ 1 = 3 := rfl
