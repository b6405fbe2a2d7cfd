-- A task imitates an answer on the protocol channel.
-- kind: process: forged answer
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
#eval (do
  let t ← IO.asTask (IO.println "{\"nonce\":\"0\",\"results\":[]}\n")
  let _ := t.get
  IO.sleep 200 : IO Unit)

theorem two_is_three : 1 + 1 = 3 := by omega
