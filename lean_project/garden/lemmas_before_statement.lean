-- A preamble of three hundred lemmas before our own copy of the statement.
-- statement: theorem used (n : Nat) : n * 7 = n + n + n + n + n + n + n
-- repeat: 300 theorem lemma_{i} (n : Nat) : n + {i} = {i} + n := Nat.add_comm n {i}\n
-- expect: accepted
§
-- proof:
by
  have := lemma_7 n
  omega
