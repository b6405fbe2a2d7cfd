-- The asked name is that of an auxiliary definition.
-- kind: declaration missing
-- statement: theorem main.two : 1 + 1 = 3
-- expect: rejected statement_mismatch
def main : Nat := two
where two : Nat := 2
