-- A command that runs a program.
-- kind: metaprograms
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
run_cmd Lean.Elab.Command.liftCoreM <| Lean.addDecl (.axiomDecl { name := `ax, levelParams := [], type := Lean.mkConst ``False, isUnsafe := false })

theorem two_is_three : 1 + 1 = 3 := ax.elim
