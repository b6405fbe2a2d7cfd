-- statement: theorem halving : ∃ f : Nat → Nat, f 8 = 3
-- expect: accepted
def log : Nat → Nat
  | 0 => 0
  | 1 => 0
  | n + 2 => log ((n + 2) / 2) + 1
termination_by n => n
decreasing_by omega

theorem halving : ∃ f : Nat → Nat, f 8 = 3 := ⟨log, by simp [log]⟩
