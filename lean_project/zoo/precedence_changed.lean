-- The same words are grouped in another way.
-- kind: statement: notation
-- statement: theorem grouped (a b c : Nat) : a - b - c = a - (b - c)
-- expect: rejected statement_mismatch
local infixr:65 (priority := high) " - " => HSub.hSub

theorem grouped (a b c : Nat) : a - b - c = a - (b - c) := rfl
