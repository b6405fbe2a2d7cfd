module
public import Checker.Elaborate
public import Checker.Kernel
public import Checker.Unknown

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
  /-- its names, for those that a candidate gets wrong; made when they are asked for -/
  index : Thunk Index
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

/-- An environment of imports. -/
structure Imported where
  env : Environment
  index : Thunk Index

structure Session where
  rules : Rules
  /-- the headers last used, the last one first -/
  headers : List Header := []
  /-- environments by what they import, the last used first -/
  imports : List (String × Imported) := []
  statement : Option Statement := none
  /-- was the header of this request known? -/
  headerCached : Option Bool := none
  /-- headers of the theorems of the file that was read last (`Outline.lean`) -/
  outlined : List Header := []

partial def findHeader (text : String) : List Header → Option Header
  | [] => none
  | h :: hs => if h.text == text then some h else findHeader text hs

partial def findImports (text : String) : List (String × Imported) → Option Imported
  | [] => none
  | (t, known) :: r => if t == text then some known else findImports text r

partial def withoutHeader (text : String) : List Header → List Header
  | [] => []
  | h :: hs => if h.text == text then hs else h :: withoutHeader text hs

partial def withoutImports (key : String) :
    List (String × Imported) → List (String × Imported)
  | [] => []
  | (t, known) :: r => if t == key then r else (t, known) :: withoutImports key r

/-- What a header imports, each module once: comments and blanks between imports do not count. -/
partial def importKey (seen : List String) : List Import → String
  | [] => ""
  | i :: is =>
    let flags := (if i.importAll then "a" else "") ++ (if i.isExported then "e" else "") ++
      (if i.isMeta then "m" else "")
    let one := nm i.module ++ " " ++ flags
    if isSeen one seen then importKey seen is else one ++ ";" ++ importKey (one :: seen) is
where
  isSeen (s : String) : List String → Bool
    | [] => false
    | t :: ts => if s == t then true else isSeen s ts

/-- The environment of a header's imports, made once for each list of them; the eight last used are
kept, because what a library file takes in memory is never given back. -/
def importsFor (ref : IO.Ref Session) (ictx : Parser.InputContext) :
    IO (Imported × Parser.ModuleParserState × List Message) := do
  let (stx, ps, ml) ← Parser.parseHeader ictx
  let isModule := Elab.HeaderSyntax.isModule stx
  let key := (if isModule then "module " else "") ++
    importKey [] (Elab.HeaderSyntax.imports stx true).toList
  let s ← ref.get
  match findImports key s.imports with
  | some known => do
    ref.set { s with imports := (key, known) :: withoutImports key s.imports }
    pure (known, ps, vecList ml.unreported)
  | none => do
    let (env, ml) ← Elab.processHeader stx {} ml ictx 0
    let env := env.setMainModule `Candidate
    let made : Imported := { env := env, index := Thunk.mk fun _ => Index.of env }
    let messages := vecList ml.unreported
    if !hasError messages then
      ref.set { s with imports := (key, made) :: firstN 7 s.imports }
    pure (made, ps, messages)

def makeHeader (ref : IO.Ref Session) (text : String) : IO Header := do
  let ictx := inputOf text
  let (known, ps, messages) ← importsFor ref ictx
  let env := known.env
  if hasError messages then
    let ms ← mapIO messageJ messages
    return { text := text, st := Command.mkState env {} {}, imported := env,
             index := known.index, ok := false,
             kernel := { env := env.toKernelEnv },
             answer := obj [("ok", .bool false), ("messages", arr ms), ("forbidden", arr [])] }
  let run ← elabAll ictx (Rules.make 0) ps { st := Command.mkState env {} {} }
  let ms := run.messages
  let ok := !hasError ms && isNil run.forbidden
  let mj ← mapIO messageJ ms
  let decls := declsSince env run.st.env
  let kernel := replayNew 0 (Table.of decls) { env := env.toKernelEnv } decls
  return { text := text, st := run.st, imported := env, index := known.index, ok := ok,
           kernel := compareMade kernel decls,
           answer := obj [("ok", .bool ok), ("messages", arr mj), ("forbidden", arr run.forbidden)] }

/-- The header's state, made once for each exact text; the four last used are kept. -/
def headerFor (ref : IO.Ref Session) (text : String) : IO Header := do
  let s ← ref.get
  match findHeader text s.headers, findHeader text s.outlined with
  | some h, _ => do
    ref.set { s with headers := h :: withoutHeader text s.headers, headerCached := some true }
    pure h
  | none, some h => do
    ref.set { s with headerCached := some true }
    pure h
  | none, none => do
    let h ← makeHeader ref text
    let s ← ref.get
    ref.set { s with headers := h :: firstN 3 s.headers, statement := none,
                     headerCached := some false }
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
