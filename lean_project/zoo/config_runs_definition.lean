-- A lemma by `sorry` confuses two types, and a configuration runs what follows from it.
-- kind: unsafe
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
theorem same : String = Nat := sorry

def steps : Nat := cast same "text"

instance (priority := high) : OfNat Nat 7 := ⟨steps⟩

theorem two_is_three : 1 + 1 = 3 := by simp (maxSteps := 7)
