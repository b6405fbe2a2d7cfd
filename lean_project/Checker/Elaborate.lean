module
public import Checker.Evaluation

/-!
Elaboration, command by command: parse, apply the rules, elaborate. It stops at the first command
that breaks a rule.

The embedded toolchain has no code of the library's functions to build on, and takes every file for
a module. What only these two refuse is elaborated again, without code (`withoutCode`) or with
public declarations (`withPublic`). Neither changes what a declaration says or what the kernel sees.
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
  /-- messages of parser and elaborator, in order; last first while it runs -/
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

partial def anyText (marks : List String) : List Message → IO Bool
  | [] => pure false
  | m :: ms => do
    let isError := match m.severity with | .error => true | _ => false
    if isError && contains (cut (← m.data.toString) 4000) marks then pure true
    else anyText marks ms
where
  contains (s : String) : List String → Bool
    | [] => false
    | t :: ts => if 1 < len (s.splitOn t) then true else contains s ts

def mapScope (f : Command.Scope → Command.Scope) (st : Command.State) : Command.State :=
  match st.scopes with
  | sc :: r => { st with scopes := f sc :: r }
  | [] => st

/-- What the compiler says where it misses code of the library, and only there. -/
def missingCode : List String := ["._redArg", "._boxed", "._lam_", "._spec_", "`_private.Init.",
  "`_private.Std.", "`_private.Lean.", "compiler IR check failed"]

/-- Elaborate one command; where only code of the library is missing, as in a
`noncomputable section`. -/
def withoutCode (ictx : Parser.InputContext) (pos : String.Pos.Raw) (stx : Syntax)
    (st : Command.State) : IO Command.State := do
  let done ← elabOne ictx pos stx st
  if ← anyText missingCode (vecList done.messages.unreported) then
    let was := match st.scopes with | sc :: _ => sc.isNoncomputable | [] => false
    let again ← elabOne ictx pos stx (mapScope (fun sc => { sc with isNoncomputable := true }) st)
    pure (mapScope (fun sc => { sc with isNoncomputable := was }) again)
  else pure done

partial def elabFrom (ictx : Parser.InputContext) (rules : Rules) (ps : Parser.ModuleParserState)
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
    let run := { run with messages := revOnto (vecList msgs.unreported) run.messages }
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
        let st ← withoutCode ictx ps.pos stx { st with messages := {}, infoState := noted }
        let messages := revOnto (vecList st.messages.unreported) run.messages
        let declared := run.declared.note st.env (declsSince run.st.env st.env)
        let run := { run with st := st, messages := messages, commands := stx :: run.commands,
                              before := run.st :: run.before,
                              trees := append run.trees (vecList st.infoState.trees),
                              declared := declared }
        match declared.syntaxes with
        | n :: _ => pure { run with forbidden := [finding ictx.fileMap "syntax" n stx] }
        | [] => elabFrom ictx rules ps' run

/-- Elaborate a text to its end, or to the first command that breaks a rule. Where a declaration is
too private for a notation or an instance, all of it again in a `public section`. -/
def elabAll (ictx : Parser.InputContext) (rules : Rules) (ps : Parser.ModuleParserState)
    (run : Run) : IO Run := do
  let done ← elabFrom ictx rules ps run
  let hidden ← anyText ["would need to be public"] done.messages
  if hidden then
    let st := mapScope (fun sc => { sc with isPublic := true }) run.st
    let again ← elabFrom ictx rules ps { run with st := st }
    if hasError again.messages then pure (inOrder done) else pure (inOrder again)
  else pure (inOrder done)
where
  inOrder (r : Run) : Run := { r with messages := revOnto r.messages [] }

end Checker
end
