-- An opened namespace gives a name of the statement another meaning.
-- kind: statement: open
-- header: def Good (n : Nat) : Prop := n < 3
-- statement: theorem fine : Good 5
-- expect: rejected elaboration_error
namespace Other
def Good (_ : Nat) : Prop := True
end Other
open Other

theorem fine : Good 5 := trivial
