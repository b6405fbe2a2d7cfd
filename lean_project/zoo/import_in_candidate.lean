-- A candidate cannot import anything of its own.
-- kind: environment tampering
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
import Lean

theorem two_is_three : 1 + 1 = 3 := by omega
