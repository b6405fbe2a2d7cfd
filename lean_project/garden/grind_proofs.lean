-- statement: theorem mixed (f : Nat → Nat) (a b c : Nat) (h : a = b) (k : b = c) : f a = f c
-- expect: accepted
@[grind] def half (n : Nat) : Nat := n / 2

@[grind =] theorem half_double (n : Nat) : half (n + n) = n := by grind

theorem order (a b c : Int) (h : a < b) (k : b < c) : a + 1 < c := by grind

theorem ring (a b : Int) : (a + b) * (a - b) = a * a - b * b := by grind

theorem mixed (f : Nat → Nat) (a b c : Nat) (h : a = b) (k : b = c) : f a = f c := by grind
