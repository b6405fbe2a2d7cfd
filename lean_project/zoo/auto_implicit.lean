-- A name that was never introduced becomes a variable.
-- kind: statement: auto-implicit
-- statement: theorem same (n m : Nat) (h : n = m) : m = n
-- expect: rejected statement_mismatch
set_option autoImplicit true

theorem same (n : Nat) (h : n = m) : n = m := h
