-- Theorems that call each other, and a nested recursion through lists.
-- statement: theorem parity (n : Nat) : (2 * n) % 2 = 0
-- expect: accepted
mutual
  def isEven : Nat → Bool
    | 0 => true
    | n + 1 => isOdd n
  def isOdd : Nat → Bool
    | 0 => false
    | n + 1 => isEven n
end

mutual
  theorem even_double : (n : Nat) → isEven (2 * n) = true
    | 0 => by simp [isEven]
    | n + 1 => by
      have h : 2 * (n + 1) = (2 * n + 1) + 1 := by omega
      rw [h, isEven]
      exact odd_double n
  termination_by n => 2 * n

  theorem odd_double (n : Nat) : isOdd (2 * n + 1) = true := by
    rw [isOdd]
    exact even_double n
  termination_by 2 * n + 1
end

theorem parity (n : Nat) : (2 * n) % 2 = 0 := by omega
