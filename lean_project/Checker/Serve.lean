module
public import Checker.Evidence
public import Checker.Outline

/-!
Requests and answers. Each `op…` answers one kind of request with the fields of a JSON object.
-/

public section
open Lean Elab
namespace Checker

/-! ## What can be asked -/

/-- Heartbeats for a statement alone, whatever its candidates may use. -/
def statementHeartbeats : Nat := 200000

def opState (ref : IO.Ref Session) (j : Json) : IO (List (String × Json)) := do
  let h ← headerFor ref (getStr j "header")
  let st ← statementFor ref h (getStr j "statement") statementHeartbeats
  return ("header", h.answer) :: st.answer

def opCheck (ref : IO.Ref Session) (j : Json) : IO (List (String × Json)) := do
  let h ← headerFor ref (getStr j "header")
  let hb := getNat j "max_heartbeats" 200000
  let st ← statementFor ref h (getStr j "statement") statementHeartbeats
  let s ← ref.get
  let rules := { s.rules with heartbeats := hb }
  let allowed := mapL asStr (getArr j "allowed_axioms")
  let q : Asked := ⟨userName st.name, getBool j "negated", hb, allowed⟩
  let head := [("header", h.answer), ("statement_ok", .bool st.ok),
    ("statement_name", str (userName st.name)),
    ("canon", match findKey "canon" st.answer with | some c => c | none => .null)]
  if !st.ok then return ("statement", obj st.answer) :: head else
  let t0 ← IO.monoMsNow
  let (ev, complete) ← evidence h st rules q (getStr j "source")
  let t1 ← IO.monoMsNow
  let result := obj (("status", str "checked") :: ("complete", .bool complete) ::
    ("ms", jn (t1 - t0)) :: ev)
  return ("result", result) :: head
where
  findKey (k : String) : List (String × Json) → Option Json
    | [] => none
    | (a, v) :: r => if a == k then some v else findKey k r

def opNames (ref : IO.Ref Session) (j : Json) : IO (List (String × Json)) := do
  let h ← headerFor ref (getStr j "header")
  return [("header", h.answer), ("missing", arr (missing h.st.env (getArr j "names"))),
    ("missing_namespaces", arr (unknown h.st.env (getArr j "namespaces")))]
where
  unknown (env : Environment) : List Json → List Json
    | [] => []
    | j :: js =>
      if env.isNamespace (ap String.toName (asStr j)) then unknown env js else j :: unknown env js
  missing (env : Environment) : List Json → List Json
    | [] => []
    | j :: js =>
      match @Environment.find? env (ap String.toName (asStr j)) false with
      | some _ => missing env js
      | none => j :: missing env js

/-! ## The conversation -/

def answer (ref : IO.Ref Session) (text : String) : IO Json := do
  match ap Json.parse text with
  | .error e => return obj [("error", str ("request is not JSON: " ++ e)), ("nonce", .null)]
  | .ok j =>
    let nonce := match Json.getObjVal? j "nonce" with | .ok v => v | _ => Json.null
    let op := getStr j "op"
    let s ← ref.get
    ref.set { s with headerCached := none }
    let body ← try
        if op == "state" then opState ref j
        else if op == "check" then opCheck ref j
        else if op == "outline" then opOutline ref j
        else if op == "names" then opNames ref j
        else pure [("error", str ("unknown op " ++ op))]
      catch e => pure [("error", str (toString e))]
    let s ← ref.get
    let cached := match s.headerCached with | some b => Json.bool b | none => Json.null
    return obj (("nonce", nonce) :: ("header_cached", cached) :: body)

partial def request (h : IO.FS.Stream) (acc : String) : IO (Option String) := do
  let l ← h.getLine
  if l.isEmpty then return (if acc.isEmpty then none else some acc)
  if l == "\n" then (if acc.isEmpty then request h acc else return some acc)
  else request h (acc ++ l)

partial def serve (ref : IO.Ref Session) (input output : IO.FS.Stream) : IO Unit := do
  match (← request input "") with
  | none => return
  | some q =>
    let r ← answer ref q
    output.putStr (ap Json.compress r ++ "\n\n")
    output.flush
    serve ref input output

/-- Open both ends of the conversation; nobody else is to find them at the usual places. -/
def channel (requests answers : System.FilePath) : IO (IO.FS.Stream × IO.FS.Stream) := do
  let input ← IO.FS.Handle.mk requests .read
  let output ← IO.FS.Handle.mk answers .write
  return (IO.FS.Stream.ofHandle input, IO.FS.Stream.ofHandle output)

/-- Where requests come from and answers go: the private channel of the embedded runner; else the
two files named after `--channel`, with which the native launcher has put its own ends out of the
way of standard input and output; else the standard streams, taken from this thread first, so that
what a candidate prints goes to standard error. -/
def streams (args : List String) : IO (IO.FS.Stream × IO.FS.Stream) := do
  let i : System.FilePath := "/channel/requests"
  if ← i.pathExists then channel i "/channel/answers"
  else match args with
    | ["--channel", requests, answers] => channel requests answers
    | _ => do
      let output ← IO.setStdout (← IO.getStderr)
      let input ← IO.setStdin (IO.FS.Stream.ofBuffer (← IO.mkRef {}))
      return (input, output)

/-- A program of its own must be told where the library is; `lean --run` knows it already. -/
def findLibrary : IO Unit := do
  match ← IO.getEnv "LEAN_SYSROOT" with
  | some root => initSearchPath root
  | none => return

end Checker
end
