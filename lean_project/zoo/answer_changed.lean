-- The problem's answer is declared again, as what the proof needs.
-- kind: answer-hole gaming
-- header: def answer : Nat := 3
-- statement: theorem solution : answer = 4
-- expect: rejected elaboration_error
def answer : Nat := 4

theorem solution : answer = 4 := rfl
