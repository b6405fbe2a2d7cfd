-- A definition that unfolds without end for all that anybody can wait.
-- kind: process: endless kernel
-- seconds: 4
-- statement: theorem steps : Nat.rec (motive := fun _ => Nat) 0 (fun _ n => n + 1) 100000000 = 7
-- expect: inconclusive timeout or failure or rejected elaboration_error
theorem steps : Nat.rec (motive := fun _ => Nat) 0 (fun _ n => n + 1) 100000000 = 7 := by
  decide +kernel
