-- An instance has the asked name.
-- kind: declaration missing
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected statement_mismatch
instance two : Decidable (1 + 1 = 2) := .isTrue rfl
