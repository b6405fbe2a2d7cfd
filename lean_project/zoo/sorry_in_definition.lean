-- The hole is inside a structure that carries the proof.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry
structure Evidence where
  proof : 1 + 1 = 3
def found : Evidence := { proof := by first | decide | sorry }

theorem two_is_three : 1 + 1 = 3 := found.proof
