-- Names with spaces, dots and keywords.
-- statement: theorem «a name with spaces» («x y» : Nat) : «x y» + 0 = «x y»
-- expect: accepted
theorem «the.dotted» : 1 = 1 := rfl
def «theorem» (n : Nat) : Nat := n
theorem «by» : «theorem» 2 = 2 := rfl

theorem «a name with spaces» («x y» : Nat) : «x y» + 0 = «x y» := by
  have := «the.dotted»
  have «sorry not» := «by»
  rfl
