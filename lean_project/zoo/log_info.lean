-- An elaborator clears the messages.
-- kind: hidden or forged messages
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
open Lean Elab Command in
elab "quiet" : command => modify fun s => { s with messages := {} }

theorem two_is_three : 1 + 1 = 3 := by omega
quiet
