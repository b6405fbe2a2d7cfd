-- More than a hundred thousand characters, most of them a term and comments.
-- statement: theorem longest (l : List Nat) (h : l = []) : l.length = 0
-- repeat: 1500 /- a comment that says sorry, axiom and #exit, {i} times -/ -- and one more\n
-- expect: accepted
def before := 1
§
theorem longest (l : List Nat) (h : l = []) : l.length = 0 := by
  subst h
  rfl
