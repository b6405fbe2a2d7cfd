-- A witness is projected out of a proof, and proofs are equal.
-- kind: environment tampering
-- statement: theorem two_is_three : 2 = 3
-- expect: rejected elaboration_error
structure Some' : Prop where
  intro ::
  value : Nat

theorem two_is_three : 2 = 3 :=
  congrArg (fun s : Some' => s.value) (rfl : Some'.intro 2 = Some'.intro 3)
