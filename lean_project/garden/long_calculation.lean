-- statement: theorem square_sum (a b : Int) : (a + b) * (a + b) = a * a + 2 * (a * b) + b * b
-- expect: accepted
theorem square_sum (a b : Int) : (a + b) * (a + b) = a * a + 2 * (a * b) + b * b :=
  calc (a + b) * (a + b)
    _ = a * (a + b) + b * (a + b) := Int.add_mul a b (a + b)
    _ = a * a + a * b + b * (a + b) := by rw [Int.mul_add a a b]
    _ = a * a + a * b + (b * a + b * b) := by rw [Int.mul_add b a b]
    _ = a * a + a * b + (a * b + b * b) := by rw [Int.mul_comm b a]
    _ = a * a + a * b + a * b + b * b := by rw [← Int.add_assoc]
    _ = a * a + (a * b + a * b) + b * b := by rw [Int.add_assoc (a * a)]
    _ = a * a + 2 * (a * b) + b * b := by
      have h : a * b + a * b = 2 * (a * b) := by omega
      rw [h]

theorem chain (a b c d e : Nat) (h₁ : a ≤ b) (h₂ : b < c) (h₃ : c = d) (h₄ : d ≤ e) : a < e := calc
  a ≤ b := h₁
  _ < c := h₂
  _ = d := h₃
  _ ≤ e := h₄
