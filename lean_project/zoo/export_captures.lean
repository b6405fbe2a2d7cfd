-- An exported name inside the theorem's own namespace hides the header's.
-- kind: statement: open
-- header: def Good (n : Nat) : Prop := n < 3
-- header: namespace Problem
-- statement: theorem fine : Good 5
-- expect: rejected statement_mismatch
namespace Other
def Good (_ : Nat) : Prop := True
end Other
export Other (Good)

theorem fine : Good 5 := trivial
