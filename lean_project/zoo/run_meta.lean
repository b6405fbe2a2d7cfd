-- A declaration is added past the elaborator.
-- kind: metaprograms
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
open Lean Meta
run_meta do
  modifyEnv fun env => env

theorem two_is_three : 1 + 1 = 3 := by omega
