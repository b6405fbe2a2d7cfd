module
public import Checker.Statement

/-!
What a file declares: its commands and its theorems, each with the text that states it.

A theorem's header is the text before its command. Reading the file has made the state there
already, so it is kept, and what is asked next about the file's theorems finds it by that text
instead of elaborating everything again for each of them.
-/

public section
open Lean Elab
namespace Checker

/-- A command without the `… in` before it. -/
partial def inner (s : Syntax) : Syntax :=
  if s.getKind == `Lean.Parser.Command.in then inner (s.getArg 2) else s

/-- What a command is: for a declaration, of which kind. -/
def commandKind (s : Syntax) : Name :=
  let s := inner s
  if s.getKind == `Lean.Parser.Command.declaration then (s.getArg 1).getKind else s.getKind

/-- The theorems of some commands, last first: keyword, name, signature, proof. -/
partial def theoremsIn (acc : List Syntax) : List Syntax → List Syntax
  | [] => acc
  | s :: r =>
    let k := s.getKind
    if k == `Lean.Parser.Command.theorem then theoremsIn (s :: acc) r
    else if k == `lemma then theoremsIn (s.getArg 1 :: acc) r
    else if k == `Lean.Parser.Command.declaration || k == `Lean.Parser.Command.in ||
        k == `Lean.Parser.Command.mutual || k == `null then
      theoremsIn (theoremsIn acc s.getArgs.toList) r
    else theoremsIn acc r

/-- Text from where one thing starts to where another starts. -/
def textBetween (src : String) (s t : Syntax) : String :=
  match @Syntax.getPos? s false, @Syntax.getPos? t false with
  | some a, some b => String.Pos.Raw.extract src a b
  | _, _ => ""

def commandJ (fm : FileMap) (s : Syntax) : Json :=
  obj [("kind", nameJ (commandKind s)), ("pos", startOf fm s), ("endPos", stopOf fm s)]

/-- One theorem `t` of the command `s`. What stands before `in` is part of the statement. -/
def theoremJ (fm : FileMap) (src : String) (s t : Syntax) : Json :=
  let statement := textBetween src s (inner s) ++ "theorem " ++ sourceOf src (t.getArg 1) ++ " " ++
    sourceOf src (t.getArg 2)
  obj [("name", str (sourceOf src (t.getArg 1))), ("statement", str statement),
    ("at", startOf fm t), ("proof", startOf fm (t.getArg 3)),
    ("pos", startOf fm s), ("endPos", stopOf fm s)]

partial def theoremsJ (fm : FileMap) (src : String) (s : Syntax) (acc : List Json) :
    List Syntax → List Json
  | [] => acc
  | t :: ts => theoremsJ fm src s (theoremJ fm src s t :: acc) ts

/-- All theorems of the commands, which stand last first. -/
partial def allTheorems (fm : FileMap) (src : String) (acc : List Json) : List Syntax → List Json
  | [] => acc
  | s :: r => allTheorems fm src (theoremsJ fm src s acc (theoremsIn [] [s])) r

/-! ## The states before theorems -/

def isBefore (a b : Position) : Bool :=
  a.line < b.line || (a.line == b.line && a.column < b.column)

/-- Does an error stand before a position? -/
partial def errorBefore (p : Position) : List Message → Bool
  | [] => false
  | m :: ms => (hasError [m] && isBefore m.pos p) || errorBefore p ms

structure Reading where
  last : Environment
  kernel : Replay
  headers : List Header := []

/-- The headers of the commands that hold a theorem, as far as no error stands before them. -/
partial def headersOf (ictx : Parser.InputContext) (messages : List Message)
    (imported : Imported) (r : Reading) : List (Syntax × Command.State) → List Header
  | [] => r.headers
  | (s, st) :: rest =>
    match theoremsIn [] [s], @Syntax.getPos? s false with
    | _ :: _, some p =>
      if errorBefore (ictx.fileMap.toPosition p) messages then r.headers else
      let decls := declsSince r.last st.env
      let kernel := compareMade (replayNew 0 (Table.of decls) r.kernel decls) decls
      let header : Header :=
        { text := String.Pos.Raw.extract ictx.inputString 0 p
          st := { st with messages := {} }
          imported := imported.env
          index := imported.index
          kernel := kernel
          ok := true
          answer := obj [("ok", .bool true), ("messages", arr []), ("forbidden", arr [])] }
      headersOf ictx messages imported
        { last := st.env, kernel := kernel, headers := header :: r.headers } rest
    | _, _ => headersOf ictx messages imported r rest

partial def paired (acc : List (Syntax × Command.State)) :
    List Syntax → List Command.State → List (Syntax × Command.State)
  | s :: ss, t :: ts => paired ((s, t) :: acc) ss ts
  | _, _ => acc

/-- Commands and theorems of a whole file: what they are, and where. -/
def opOutline (ref : IO.Ref Session) (j : Json) : IO (List (String × Json)) := do
  let src := getStr j "source"
  let ictx := inputOf src
  let (known, ps, imports) ← importsFor ref ictx
  let env := known.env
  let ij ← mapIO messageJ imports
  let ok := !hasError imports
  let head := ("header",
    obj [("ok", .bool ok), ("messages", arr ij), ("forbidden", arr [])])
  if !ok then
    return [head, ("messages", arr []), ("forbidden", arr []), ("commands", arr []),
      ("theorems", arr [])]
  let start := Command.mkState env {} (setNat {} `maxErrors 1000000)
  let run ← elabAll ictx (Rules.make 0) ps { st := start }
  let headers := headersOf ictx run.messages known
    { last := env, kernel := { env := env.toKernelEnv } } (paired [] run.commands run.before)
  let s ← ref.get
  ref.set { s with outlined := headers, statement := none }
  let mj ← mapIO messageJ (told run.messages)
  return [head, ("messages", arr mj), ("forbidden", arr run.forbidden),
    ("commands", arr (revOnto (mapL (commandJ ictx.fileMap) run.commands) [])),
    ("theorems", arr (allTheorems ictx.fileMap src [] run.commands))]

end Checker
end
