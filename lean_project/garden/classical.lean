-- statement: theorem excluded (p : Prop) : p ∨ ¬p
-- expect: accepted
open Classical in
theorem excluded (p : Prop) : p ∨ ¬p := em p
