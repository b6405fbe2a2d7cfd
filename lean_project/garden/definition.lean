-- statement: theorem sum_to_ten : ∃ f : Nat → Nat, f 0 = 0 ∧ (∀ n, f (n + 1) = f n + (n + 1)) ∧ f 10 = 55
-- expect: accepted
def total : Nat → Nat
  | 0 => 0
  | n + 1 => total n + (n + 1)

theorem sum_to_ten : ∃ f : Nat → Nat, f 0 = 0 ∧ (∀ n, f (n + 1) = f n + (n + 1)) ∧ f 10 = 55 :=
  ⟨total, rfl, fun _ => rfl, rfl⟩
