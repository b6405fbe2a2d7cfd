-- The theorem is stated where another answer has the same short name.
-- kind: answer-hole gaming
-- header: def answer : Nat := 3
-- statement: theorem Mine.solution : answer = 4
-- expect: rejected statement_mismatch
namespace Mine
def answer : Nat := 4
theorem solution : answer = 4 := rfl
end Mine
