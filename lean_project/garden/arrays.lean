-- statement: theorem pushed (a : Array Nat) (n : Nat) : (a.push n).size = a.size + 1
-- expect: accepted
def doubled (a : Array Nat) : Array Nat := a.map (2 * ·)

theorem doubled_size (a : Array Nat) : (doubled a).size = a.size := by simp [doubled]

example : doubled #[1, 2] = #[2, 4] := by simp [doubled]

theorem pushed (a : Array Nat) (n : Nat) : (a.push n).size = a.size + 1 := by
  have := doubled_size a
  simp
