-- A command of one's own removes the declarations.
-- kind: environment tampering
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
open Lean Elab Command
@[command_elab Lean.Parser.Command.theorem] def skip : CommandElab := fun _ => pure ()

theorem two_is_three : 1 + 1 = 3 := by omega
