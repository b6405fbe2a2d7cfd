-- Parts of the standard library, imported by the problem.
-- header: import Std.Data.HashMap
-- header: import Init.Data.List.Lemmas
-- header: open Std
-- statement: theorem inserted (m : HashMap Nat Nat) : (m.insert 1 2)[1]? = some 2
-- expect: accepted
theorem inserted (m : HashMap Nat Nat) : (m.insert 1 2)[1]? = some 2 := by simp
