-- A misspelt type becomes any type at all.
-- kind: statement: auto-implicit
-- statement: theorem injective (f : Nat → Nat) (h : ∀ n, f n = n) : f 0 = 0
-- expect: rejected statement_mismatch
set_option autoImplicit true
theorem injective (f : Nat → Nat) (h : ∀ n : Nta, f 0 = 0) (n : Nta) : f 0 = 0 := h n
