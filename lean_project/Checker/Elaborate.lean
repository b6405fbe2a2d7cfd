module
public import Checker.Evaluation

/-!
Elaboration, command by command: parse, apply the rules, elaborate. It stops at the first command
that breaks a rule.
-/

public section
open Lean Elab
namespace Checker

def inputOf (src : String) : Parser.InputContext :=
  { inputString := src
    fileName := "<input>"
    fileMap := FileMap.ofString src
    endPos := src.rawEndPos
    endPos_valid := Nat.le_refl _ }

structure Run where
  st : Command.State
  /-- messages of parser and elaborator, in order -/
  messages : List Message := []
  forbidden : List Json := []
  /-- parsed commands, last first -/
  commands : List Syntax := []
  /-- the state before each of them -/
  before : List Command.State := []
  /-- what the elaborator noted of each command, in order, where it was asked to -/
  trees : List InfoTree := []
  /-- what they declared -/
  declared : Declared := {}

def elabOne (ictx : Parser.InputContext) (pos : String.Pos.Raw) (stx : Syntax)
    (st : Command.State) : IO Command.State := do
  let ctx : Command.Context :=
    { fileName := ictx.fileName
      fileMap := ictx.fileMap
      cmdPos := pos
      snap? := none
      cancelTk? := none }
  let ref ← IO.mkRef st
  match (← EIO.toBaseIO (Command.elabCommandTopLevel stx ctx ref)) with
  | .ok _ => ref.get
  | .error e => do
    let s ← ref.get
    let m : Message :=
      { fileName := ictx.fileName
        pos := ictx.fileMap.toPosition pos
        data := ap Exception.toMessageData e }
    pure { s with messages := s.messages.add m }

partial def elabAll (ictx : Parser.InputContext) (rules : Rules) (ps : Parser.ModuleParserState)
    (run : Run) : IO Run := do
  let st := run.st
  match st.scopes with
  | [] => pure run
  | scope :: _ =>
    let pm : Parser.ParserModuleContext :=
      { env := st.env
        options := scope.opts
        currNamespace := scope.currNamespace
        openDecls := scope.openDecls }
    let (stx, ps', msgs) := Parser.parseCommand ictx pm ps {}
    let run := { run with messages := append run.messages (vecList msgs.unreported) }
    let bad := nestedCommandsBad ictx.fileMap rules stx (scan ictx.fileMap rules stx [])
    let confused := run.declared.code && run.declared.doubt
    let bad := append (evaluated ictx.fileMap confused stx false []) bad
    match bad with
    | _ :: _ => pure { run with forbidden := bad }
    | [] =>
      if stx.getKind == `Lean.Parser.Command.eoi then
        pure run
      else do
        let noted := { st.infoState with trees := {} }
        let st ← elabOne ictx ps.pos stx { st with messages := {}, infoState := noted }
        let messages := append run.messages (vecList st.messages.unreported)
        let declared := run.declared.note st.env (declsSince run.st.env st.env)
        let run := { run with st := st, messages := messages, commands := stx :: run.commands,
                              before := run.st :: run.before,
                              trees := append run.trees (vecList st.infoState.trees),
                              declared := declared }
        match declared.syntaxes with
        | n :: _ => pure { run with forbidden := [finding ictx.fileMap "syntax" n stx] }
        | [] => elabAll ictx rules ps' run

end Checker
end
