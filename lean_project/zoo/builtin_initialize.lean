-- Code for the moment at which the file is loaded, under its built-in name.
-- kind: initialize
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
builtin_initialize pure ()

theorem two_is_three : 1 + 1 = 3 := by omega
