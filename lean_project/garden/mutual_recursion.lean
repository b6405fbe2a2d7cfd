-- statement: theorem four_even : ∃ even : Nat → Bool, even 0 = true ∧ even 4 = true ∧ even 5 = false
-- expect: accepted
mutual
  def isEven : Nat → Bool
    | 0 => true
    | n + 1 => isOdd n
  def isOdd : Nat → Bool
    | 0 => false
    | n + 1 => isEven n
end

theorem four_even : ∃ even : Nat → Bool, even 0 = true ∧ even 4 = true ∧ even 5 = false :=
  ⟨isEven, by simp [isEven], by simp [isEven, isOdd], by simp [isEven, isOdd]⟩
