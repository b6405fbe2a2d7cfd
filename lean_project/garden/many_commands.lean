-- Two hundred and twenty small commands in one candidate.
-- statement: theorem last_one : 1 + 1 = 2
-- repeat: 220 theorem fact_{i} : {i} + 0 = {i} := rfl\n
-- expect: accepted
§
theorem last_one : 1 + 1 = 2 := by
  have := fact_219
  rfl
