-- statement: theorem gauss (f : Nat → Nat) (h₀ : f 0 = 0) (h : ∀ n, f (n + 1) = f n + (n + 1)) (n : Nat) : 2 * f n = n * (n + 1)
-- expect: accepted
theorem gauss (f : Nat → Nat) (h₀ : f 0 = 0) (h : ∀ n, f (n + 1) = f n + (n + 1)) (n : Nat) :
    2 * f n = n * (n + 1) := by
  induction n with
  | zero => simp [h₀]
  | succ n ih => rw [h, Nat.mul_add, ih]; grind
