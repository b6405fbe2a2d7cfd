-- A forged matcher takes the name of the statement's own; Lean makes another one, and the proof is none.
-- kind: environment tampering
-- statement: theorem branch (n : Nat) : (match n with | 0 => False | _ + 1 => True)
-- expect: rejected contains_sorry
def branch.match_1 (_ : Nat → Sort u) (_ : Nat) (_ : Unit → Sort u) : Prop := True

theorem branch (n : Nat) : (match n with | 0 => False | _ + 1 => True) := by
  exact sorry
