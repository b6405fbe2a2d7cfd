-- The preamble leaves a namespace open around our own copy of the statement.
-- kind: statement: namespace
-- header: def Good (n : Nat) : Prop := n < 3
-- statement: theorem fine : Good 5
-- expect: rejected statement_mismatch
namespace Problem
def Good (_ : Nat) : Prop := True
-- proof:
trivial
