-- The proof is a documentation comment's text.
-- kind: inside a comment
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected statement_mismatch
/-- theorem two : 1 + 1 = 2 := rfl -/
theorem other : True := trivial
