-- Helpers that match as the statement does: Lean makes the matcher once, under a helper's name.
-- statement: theorem branch (n : Nat) : (match n with | 0 => True | _ + 1 => 0 < n)
-- expect: accepted
def holds (n : Nat) : Prop := match n with | 0 => True | _ + 1 => 0 < n

theorem helper (n : Nat) : holds n := by
  unfold holds
  split
  · trivial
  · omega

theorem branch (n : Nat) : (match n with | 0 => True | _ + 1 => 0 < n) := helper n
