-- statement: theorem swapped (a b c : Nat) : a * b + c = c + b * a
-- expect: accepted
theorem inside (f : Nat → Nat) (a b : Nat) (h : a = b) : (fun x => f (x + a)) = fun x => f (x + b) := by
  conv =>
    lhs
    ext x
    arg 1
    rw [h]

theorem swapped (a b c : Nat) : a * b + c = c + b * a := by
  conv => lhs; rw [Nat.add_comm]
  conv in a * b => rw [Nat.mul_comm]
