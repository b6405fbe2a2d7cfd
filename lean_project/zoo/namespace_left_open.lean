-- The preamble leaves a namespace open in which the statement means something else.
-- kind: statement: namespace
-- header: def Good (n : Nat) : Prop := n < 3
-- statement: theorem fine : Good 5
-- expect: rejected statement_mismatch
namespace Problem
def Good (_ : Nat) : Prop := True
theorem fine : Good 5 := trivial
