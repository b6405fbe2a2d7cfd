-- A tactic's configuration is compiled and run, and may use what is unsafe.
-- kind: unsafe
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
theorem two_is_three : 1 + 1 = 3 := by
  simp (maxSteps := (fun (f : Unit → Nat) => f ()) (fun _ => unsafeCast "text"))
