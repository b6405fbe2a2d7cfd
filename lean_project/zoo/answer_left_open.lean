-- The header's answer is a hole; a proof of a statement about it rests on sorry.
-- kind: answer-hole gaming
-- header: def answer : Nat := sorry
-- statement: theorem solution : answer = answer
-- expect: rejected contains_sorry
theorem solution : answer = answer := rfl
