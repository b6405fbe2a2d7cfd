-- The same, under another name.
-- kind: axioms
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected forbidden_axiom
open Lean renaming reduceBool → run

theorem ran : run System.Platform.isWindows = false := rfl

theorem two : 1 + 1 = 2 := by have := ran; rfl
