-- Another answer, nearer by name.
-- kind: answer-hole gaming
-- header: def answer : Nat := 3
-- statement: theorem solution : answer = 4
-- expect: rejected statement_mismatch
namespace Mine
def answer : Nat := 4
end Mine

open Mine renaming answer → wanted in
theorem solution : wanted = 4 := rfl
