-- The answer's value is an axiom.
-- kind: answer-hole gaming
-- header: def answer : Nat := 3
-- statement: theorem solution : answer = 4
-- expect: rejected forbidden_axiom
axiom answer_is : answer = 4

theorem solution : answer = 4 := answer_is
