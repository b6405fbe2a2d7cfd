module
public import Lean.Elab.Frontend
public import Lean.Data.Json

/-!
The Lean REPL's `Command` alone, for comparison: elaborate, tell the messages, keep the environment.
No rules, no look at what was declared, no second look of the kernel.
-/

open Lean Elab

namespace Plain

@[noinline] def ap {α β} (f : α → β) (a : α) : β := f a

def severity : MessageSeverity → String
  | .information => "info" | .warning => "warning" | .error => "error"

def posJ (p : Position) : Json :=
  ap Json.mkObj [("line", .num ⟨p.line, 0⟩), ("column", .num ⟨p.column, 0⟩)]

def messageJ (m : Message) : IO Json := do
  let e := match m.endPos with | some p => posJ p | none => Json.null
  return ap Json.mkObj [("severity", .str (severity m.severity)), ("pos", posJ m.pos),
    ("endPos", e), ("data", .str (← m.data.toString))]

partial def messages (acc : Array Json) : List Message → IO (Array Json)
  | [] => pure acc
  | m :: ms => do messages (acc.push (← messageJ m)) ms

partial def vecNode (n : PersistentArrayNode Message) (acc : List Message) : List Message :=
  match n with
  | .leaf vs => onto vs.toList acc
  | .node cs => go cs.toList acc
where
  onto (l acc : List Message) : List Message := match l with
    | [] => acc
    | m :: ms => onto ms (m :: acc)
  go (l : List (PersistentArrayNode Message)) (acc : List Message) : List Message := match l with
    | [] => acc
    | c :: cs => go cs (vecNode c acc)

def listOf (a : PersistentArray Message) : List Message :=
  vecNode.onto (vecNode (.leaf a.tail) (vecNode a.root [])) []

partial def nth (n : Nat) : List Command.State → Option Command.State
  | [] => none
  | s :: r => if n == 0 then some s else nth (n - 1) r

partial def count (n : Nat) : List Command.State → Nat
  | [] => n
  | _ :: r => count (n + 1) r

def inputOf (src : String) : Parser.InputContext :=
  { inputString := src, fileName := "<input>", fileMap := FileMap.ofString src,
    endPos := src.rawEndPos, endPos_valid := Nat.le_refl _ }

/-- States, the last one first. -/
abbrev States := IO.Ref (List Command.State)

def run (states : States) (src : String) (env : Option Nat) : IO Json := do
  let known ← states.get
  let ictx := inputOf src
  let (st, ps) ← match env with
    | some n => match nth (count 0 known - 1 - n) known with
      | some st => pure ({ st with messages := {} }, ({} : Parser.ModuleParserState))
      | none => throw (IO.userError "Unknown environment.")
    | none => do
      let (stx, ps, ml) ← Parser.parseHeader ictx
      let (env, ml) ← Elab.processHeader stx {} ml ictx 0
      pure (Command.mkState env ml {}, ps)
  let st := { st with infoState := { enabled := true } }
  let fin ← Elab.IO.processCommands ictx ps st
  let st := fin.commandState
  let ms ← messages #[] (listOf st.messages.unreported)
  states.set (st :: known)
  return ap Json.mkObj [("messages", .arr ms), ("env", .num ⟨count 0 known, 0⟩)]

def answer (states : States) (text : String) : IO Json := do
  match ap Json.parse text with
  | .error e => return ap Json.mkObj [("message", .str e)]
  | .ok j =>
    let src := match Json.getObjVal? j "cmd" with | .ok (.str s) => s | _ => ""
    let env := match Json.getObjVal? j "env" with
      | .ok (.num n) => some n.mantissa.toNat | _ => none
    try run states src env catch e => return ap Json.mkObj [("message", .str (toString e))]

partial def request (h : IO.FS.Stream) (acc : String) : IO (Option String) := do
  let l ← h.getLine
  if l.isEmpty then return (if acc.isEmpty then none else some acc)
  if l == "\n" then (if acc.isEmpty then request h acc else return some acc)
  else request h (acc ++ l)

partial def serve (states : States) (input output : IO.FS.Stream) : IO Unit := do
  match (← request input "") with
  | none => return
  | some q =>
    output.putStr (ap Json.compress (← answer states q) ++ "\n\n")
    output.flush
    serve states input output

end Plain

public unsafe def main (_ : List String) : IO UInt32 := do
  enableInitializersExecution
  let states ← IO.mkRef ([] : List Command.State)
  let input ← IO.FS.Handle.mk "/channel/requests" .read
  let output ← IO.FS.Handle.mk "/channel/answers" .write
  Plain.serve states (IO.FS.Stream.ofHandle input) (IO.FS.Stream.ofHandle output)
  return 0
