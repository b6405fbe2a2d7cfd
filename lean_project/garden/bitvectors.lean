-- statement: theorem masked (x : BitVec 8) : (x &&& 0#8) = 0#8 ∧ x ^^^ x = 0#8
-- expect: accepted
theorem masked (x : BitVec 8) : (x &&& 0#8) = 0#8 ∧ x ^^^ x = 0#8 := by
  constructor
  · simp
  · exact BitVec.xor_self
