-- statement: theorem chain (a b c : Nat) (h : a = b) (k : b = c + 1) : a ≤ c + 2
-- expect: accepted
theorem chain (a b c : Nat) (h : a = b) (k : b = c + 1) : a ≤ c + 2 :=
  calc
    a = b := h
    _ = c + 1 := k
    _ ≤ c + 2 := by omega
