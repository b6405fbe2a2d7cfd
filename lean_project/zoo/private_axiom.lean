-- A new axiom, hidden in a namespace and private.
-- kind: axioms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_axiom
namespace Quiet
private axiom wish : False
theorem wished : 1 + 1 = 3 := wish.elim
end Quiet

theorem two_is_three : 1 + 1 = 3 := Quiet.wished
