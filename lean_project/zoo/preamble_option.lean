-- The preamble lets a misspelt name of the statement be a variable.
-- kind: statement: auto-implicit
-- header: set_option autoImplicit false
-- statement: theorem same (a b : Nat) (h : a = b) : b = a
-- expect: rejected statement_mismatch
set_option autoImplicit true
theorem same (h : a = b) (k : b = c) : c = a := (h.trans k).symm
