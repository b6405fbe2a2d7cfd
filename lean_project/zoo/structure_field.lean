-- A field of a structure has the asked name.
-- kind: declaration missing
-- statement: theorem Two.two : 1 + 1 = 3
-- expect: rejected statement_mismatch
structure Two : Prop where
  two : 1 + 1 = 3
