-- statement: theorem simplified (a b : Nat) (h : a = b) : a + 0 = b * 1
-- expect: accepted
@[simp] def twice (n : Nat) : Nat := n + n

theorem one (a : Nat) : twice a = a + a := by simp
theorem two (a : Nat) : twice a = a + a := by unfold twice; rfl
theorem three (a b : Nat) (h : a = 0) : a + b = b := by simp [h]
theorem four (a b : Nat) (h : a = 0 ∧ b = 0) : a + b = 0 := by simp_all
theorem five (xs : List Nat) : (xs ++ []).length = xs.length := by simp only [List.append_nil]
theorem six (a b c : Nat) : a + b + c = c + b + a := by simp +arith
theorem seven (a b : Nat) (h : a + 0 = b) : a = b := by simp at h; exact h
theorem eight (a : Nat) : a + 0 = a := by simp (config := { decide := false })
theorem nine (p : Prop) (h : p) : p ∧ True := by simpa using h
theorem ten (a b : Nat) : a + b = b + a := by simp -failIfUnchanged; simp [Nat.add_comm]
theorem eleven (a b : Nat) (h : b = a) : a = b := by simp [← h]
theorem twelve (f : Nat → Nat) (h : ∀ x, f x = x) : f (f 1) = 1 := by rw [h, h]
theorem thirteen (a b : Nat) : a * b = b * a := by ac_rfl

theorem simplified (a b : Nat) (h : a = b) : a + 0 = b * 1 := by
  simp? [h]
