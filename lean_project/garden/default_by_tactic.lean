-- Arguments and fields that a tactic finds.
-- statement: theorem small : 3 ≤ 9
-- expect: accepted
structure Positive where
  value : Nat
  positive : 0 < value := by omega

def three : Positive := { value := 3 }

theorem below_ten (n : Nat) (_ : n < 10 := by omega) : n ≤ 9 := by omega

theorem small : 3 ≤ 9 := below_ten three.value (by decide)
