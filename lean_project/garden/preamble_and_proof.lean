-- Preamble and proof apart; the preamble opens a section and defines what the proof uses.
-- statement: theorem product (a b : Nat) : (a + b) * 2 = 2 * a + 2 * b
-- expect: accepted
section
def double (n : Nat) : Nat := 2 * n
theorem double_add (a b : Nat) : double (a + b) = double a + double b := by
  simp [double, Nat.mul_add]
end
-- proof:
by
  have h := double_add a b
  unfold double at h
  omega
