module
public import Checker.Elaborate
public import Checker.Kernel

/-!
What is kept between requests, and headers: their imports, their own commands, and the state that
every elaboration over them starts from.
-/

public section
open Lean Elab
namespace Checker

structure Header where
  text : String
  st : Command.State
  /-- environment after the imports, before the header's own commands -/
  imported : Environment
  /-- the kernel's word on the header's own declarations -/
  kernel : Replay
  ok : Bool
  answer : Json

structure Statement where
  header : String
  text : String
  ok : Bool
  /-- full name of the declaration, as in the environment -/
  name : Name := .anonymous
  decl : Option ConstantInfo := none
  /-- new constants inside its type (matchers, auxiliary lemmas) -/
  auxiliary : List Decl := []
  answer : List (String × Json) := []

structure Session where
  rules : Rules
  headers : List Header := []
  /-- environments by the text of their imports -/
  imports : List (String × Environment) := []
  statement : Option Statement := none

partial def findHeader (text : String) : List Header → Option Header
  | [] => none
  | h :: hs => if h.text == text then some h else findHeader text hs

partial def findImports (text : String) : List (String × Environment) → Option Environment
  | [] => none
  | (t, env) :: r => if t == text then some env else findImports text r

/-- The environment of a header's imports, made once for each text of them. -/
def importsFor (ref : IO.Ref Session) (ictx : Parser.InputContext) :
    IO (Environment × Parser.ModuleParserState × List Message) := do
  let (stx, ps, ml) ← Parser.parseHeader ictx
  let key := String.Pos.Raw.extract ictx.inputString 0 ps.pos
  let s ← ref.get
  match findImports key s.imports with
  | some env => pure (env, ps, vecList ml.unreported)
  | none => do
    let (env, ml) ← Elab.processHeader stx {} ml ictx 0
    let env := env.setMainModule `Candidate
    let messages := vecList ml.unreported
    if !hasError messages then
      ref.set { s with imports := (key, env) :: firstN 2 s.imports }
    pure (env, ps, messages)

def makeHeader (ref : IO.Ref Session) (text : String) : IO Header := do
  let ictx := inputOf text
  let (env, ps, messages) ← importsFor ref ictx
  if hasError messages then
    let ms ← mapIO messageJ messages
    return { text := text, st := Command.mkState env {} {}, imported := env, ok := false,
             kernel := { env := env.toKernelEnv },
             answer := obj [("ok", .bool false), ("messages", arr ms), ("forbidden", arr [])] }
  let run ← elabAll ictx (Rules.make 0) ps { st := Command.mkState env {} {} }
  let ms := run.messages
  let ok := !hasError ms && isNil run.forbidden
  let mj ← mapIO messageJ ms
  let decls := declsSince env run.st.env
  let kernel := replayNew 0 (Table.of decls) { env := env.toKernelEnv } decls
  return { text := text, st := run.st, imported := env, ok := ok,
           kernel := compareMade kernel decls,
           answer := obj [("ok", .bool ok), ("messages", arr mj), ("forbidden", arr run.forbidden)] }

/-- The header's state, made once for each exact text; the four last used are kept. -/
def headerFor (ref : IO.Ref Session) (text : String) : IO Header := do
  let s ← ref.get
  match findHeader text s.headers with
  | some h => pure h
  | none => do
    let h ← makeHeader ref text
    let s ← ref.get
    ref.set { s with headers := h :: firstN 3 s.headers, statement := none }
    pure h

def setNat (o : Options) (n : Name) (v : Nat) : Options := KVMap.insert o n (.ofNat v)

/-- State for one elaboration: no messages, our own limits over anything the header set. -/
def freshState (h : Header) (heartbeats : Nat) (infos : Bool) : Command.State :=
  let scopes := match h.st.scopes with
    | sc :: r =>
      let o := setNat (setNat sc.opts `maxHeartbeats heartbeats) `maxErrors 1000000
      { sc with opts := o } :: r
    | [] => []
  { h.st with messages := {}, infoState := { enabled := infos }, scopes := scopes }

end Checker
end
