-- The short name `propext` means the new axiom here.
-- kind: axioms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_axiom
namespace Quiet
axiom propext : False
theorem wished : 1 + 1 = 3 := propext.elim
end Quiet

theorem two_is_three : 1 + 1 = 3 := Quiet.wished
