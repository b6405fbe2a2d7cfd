-- The right name from inside a namespace, with the namespace's meaning of the statement.
-- kind: statement: namespace
-- header: def Good (n : Nat) : Prop := n < 3
-- statement: theorem fine : Good 5
-- expect: rejected statement_mismatch
namespace Problem
def Good (_ : Nat) : Prop := True
theorem _root_.fine : Good 5 := trivial
end Problem
