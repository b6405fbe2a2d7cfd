-- A constructor has the asked name and type-like shape.
-- kind: declaration missing
-- statement: theorem Claim.two : 1 + 1 = 3
-- expect: rejected statement_mismatch
inductive Claim : Prop
  | two (h : 1 + 1 = 3)
