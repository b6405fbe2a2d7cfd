-- The theorem is inside a raw string over several lines.
-- kind: inside a string
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected statement_mismatch
def text := r#"
theorem two : 1 + 1 = 2 := rfl
"#
