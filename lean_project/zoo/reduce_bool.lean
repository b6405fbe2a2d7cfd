-- The kernel is told to run compiled code.
-- kind: axioms
-- statement: theorem power : (10 : Nat) ^ 5 % 7 = 5
-- expect: rejected forbidden_axiom
def found : Bool := decide ((10 : Nat) ^ 5 % 7 = 5)

theorem power : (10 : Nat) ^ 5 % 7 = 5 := of_decide_eq_true (Lean.ofReduceBool found true rfl)
