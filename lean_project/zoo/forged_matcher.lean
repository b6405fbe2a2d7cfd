-- The matcher inside the statement is forged beforehand.
-- statement: theorem branch (n : Nat) : (match n with | 0 => False | _ + 1 => True)
-- expect: rejected statement_mismatch
def branch.match_1 (_ : Nat → Sort u) (_ : Nat) (_ : Unit → Sort u) : Prop := True

theorem branch (n : Nat) : (match n with | 0 => False | _ + 1 => True) := by
  exact sorry
