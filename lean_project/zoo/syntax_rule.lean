-- New syntax with rules.
-- kind: metaprograms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
syntax "finish" : tactic
macro_rules | `(tactic| finish) => `(tactic| sorry)

theorem two_is_three : 1 + 1 = 3 := by finish
