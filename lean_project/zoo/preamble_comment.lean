-- The preamble begins a comment that the proof ends.
-- kind: inside a comment
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
theorem true_one : True := trivial
/-
-- proof:
-/ theorem two_is_three' : True := trivial
