-- Tactics with configurations, old and new style, and a definition beside them.
-- statement: theorem below (a b n : Nat) (h : a = b) (g : n < 3) : a + a = a + b ∧ n * n < 9
-- expect: accepted
def four : Nat := 4

theorem split_square (n : Nat) (g : n < 3) : n * n ≤ four := by
  have : n ≤ 2 := by omega (splitDisjunctions := false)
  calc n * n ≤ 2 * 2 := Nat.mul_le_mul this this
    _ ≤ four := by simp (config := { decide := true }) [four]

theorem below (a b n : Nat) (h : a = b) (g : n < 3) : a + a = a + b ∧ n * n < 9 := by
  constructor
  · rw (occs := .pos [2]) [h]
  · have := split_square n g
    simp +arith (maxSteps := 200000) (zeta := true) [four] at this
    omega
