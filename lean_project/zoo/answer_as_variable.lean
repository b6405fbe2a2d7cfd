-- The answer becomes a variable that hides the definition.
-- kind: answer-hole gaming
-- header: def answer : Nat := 3
-- statement: theorem solution : answer = 4
-- expect: rejected statement_mismatch
variable (answer : Nat) (h : answer = 4)
include h

theorem solution : answer = 4 := h
