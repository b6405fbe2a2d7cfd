-- The statement's matcher under a helper's name, with other branches.
-- kind: statement: changed
-- statement: theorem branch (n : Nat) : (match n with | 0 => False | _ + 1 => True)
-- expect: rejected statement_mismatch
def helper (n : Nat) : Prop := match n with | 0 => False | _ + 1 => True

theorem branch (n : Nat) : (match n with | 0 => True | _ + 1 => True) := by
  cases n <;> trivial
