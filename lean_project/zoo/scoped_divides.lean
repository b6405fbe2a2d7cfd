-- A scoped notation of high priority for `∣`.
-- kind: statement: notation
-- statement: theorem four_six : 4 ∣ 6
-- expect: rejected statement_mismatch
namespace A
scoped infix:50 (priority := high) " ∣ " => fun (_ _ : Nat) => True
end A
open A

theorem four_six : 4 ∣ 6 := trivial
