-- A definition becomes a tactic by an attribute.
-- kind: metaprograms
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
open Lean Elab Tactic
@[tactic Lean.Parser.Tactic.omega] def always : Tactic := fun _ => admitGoal (← getMainGoal)

theorem two_is_three : 1 + 1 = 3 := by omega
