-- statement: theorem joined : "ab" ++ "c" = "abc" ∧ 'a' ≠ 'b' ∧ 'a'.toNat = 97
-- expect: accepted
def greeting : String := "grüße, \"Welt\" \n\t\u2200"

theorem char_val : 'z'.toNat = 122 := rfl
theorem length : "abc".length = 3 := by decide
theorem different : "a" ≠ "b" := by decide

theorem joined : "ab" ++ "c" = "abc" ∧ 'a' ≠ 'b' ∧ 'a'.toNat = 97 := by
  refine ⟨rfl, by decide, rfl⟩
