-- A type in a sort that only normalizes to Prop: data is to be got out of equal proofs (lean4#14613).
-- kind: environment tampering
-- statement: theorem nothing_holds : False
-- expect: rejected elaboration_error
inductive P : Sort (imax 1 0) where
  | mk (b : Bool)

theorem nothing_holds : False := by
  have h : P.mk true = P.mk false := rfl
  have f : P → Bool := fun p => p.1
  have g : P → Bool := fun p => match p with | .mk b => b
  exact Bool.noConfusion (congrArg f h)
