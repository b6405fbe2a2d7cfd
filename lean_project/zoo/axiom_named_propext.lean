-- An axiom whose last name is that of an allowed one.
-- kind: axioms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_axiom
namespace Quiet
axiom propext : False
end Quiet

theorem two_is_three : 1 + 1 = 3 := Quiet.propext.elim
