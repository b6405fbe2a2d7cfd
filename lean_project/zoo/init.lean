-- A constant made when the file is loaded.
-- kind: initialize
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
def start : IO Nat := pure 5
@[init start] opaque number : Nat

theorem two_is_three : 1 + 1 = 3 := by omega
