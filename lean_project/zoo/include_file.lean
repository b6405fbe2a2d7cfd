-- A term that reads a file.
-- kind: process: file access
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
def text := include_str "Checker.lean"

theorem two_is_three : 1 + 1 = 3 := by omega
