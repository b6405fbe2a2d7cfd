-- statement: theorem shown (n : Nat) : n < n + 2
-- expect: accepted
private theorem step (n : Nat) : n < n + 1 := Nat.lt_succ_self n

private def two : Nat := 2

namespace Other
private theorem step (n : Nat) : n ≤ n + 1 := Nat.le_succ n
end Other

private theorem two_eq : two = 2 := rfl

theorem shown (n : Nat) : n < n + 2 := Nat.lt_trans (step n) (step (n + 1))
