-- A notation takes the answer's name.
-- kind: answer-hole gaming
-- header: def answer : Nat := 3
-- statement: theorem solution : answer = 4
-- expect: rejected statement_mismatch
local notation "answer" => (4 : Nat)

theorem solution : answer = 4 := rfl
