module
public import Checker.Canon
public import Checker.Session
public import Checker.View

/-!
The statement, elaborated alone before any candidate is read. Its type is what a candidate must
prove.
-/

public section
open Lean Elab
namespace Checker

partial def findNode (k : Name) : List Syntax → Option Syntax
  | [] => none
  | s :: r =>
    if s.getKind == k then some s else
    match findNode k s.getArgs.toList with
    | some x => some x
    | none => findNode k r

def sourceOf (src : String) (s : Syntax) : String :=
  match @Syntax.getPos? s false, @Syntax.getTailPos? s false with
  | some a, some b => String.Pos.Raw.extract src a b
  | _, _ => ""

/-- Text of the statement's negation, from the statement's own text: the binders are closed over. -/
def negatedText (src : String) (cmds : List Syntax) : String :=
  match findNode `Lean.Parser.Command.declId cmds, findNode `Lean.Parser.Command.declSig cmds with
  | some declId, some sig =>
    let binders := sourceOf src (sig.getArg 0)
    let target := sourceOf src ((sig.getArg 1).getArg 1)
    let prop := if binders.isEmpty then "(" ++ target ++ ")"
      else "(∀ " ++ binders ++ ", " ++ target ++ ")"
    "theorem " ++ sourceOf src declId ++ " : ¬ " ++ prop
  | _, _ => ""

/-- Does the proof begin where the statement's text ends? A text may bring a `:=` or a `where` of its
own, and end in the middle of what follows it. -/
def endsBeforeProof (text : String) (cmds : List Syntax) : Bool :=
  match findNode `Lean.Parser.Command.declValSimple cmds with
  | some s => match @Syntax.getPos? s false with
    | some p => text.utf8ByteSize <= p.byteIdx
    | none => false
  | none => false

/-- Elaborate the statement alone, in a branch of its own over the header. -/
def makeStatement (h : Header) (rules : Rules) (text : String) (heartbeats : Nat) :
    IO Statement := do
  let src := text ++ "\n  := sorry"
  let ictx := inputOf src
  let run ← elabAll ictx rules {} { st := freshState h heartbeats false }
  let ms := run.messages
  let mj ← mapIO messageJ (told ms)
  let base := [("messages", arr mj), ("forbidden", arr run.forbidden)]
  let bad (why : String) : Statement :=
    { header := h.text, text := text, ok := false,
      answer := ("ok", .bool false) :: ("problem", str why) :: base }
  if !isNil run.forbidden then return bad "forbidden" else
  if hasError ms then return bad "error" else
  match run.commands with
  | [_] =>
    if !endsBeforeProof text run.commands then return bad "proof" else
    let decls := declsSince h.st.env run.st.env
    match theorems decls with
    | [(n, .thmInfo v)] => do
      let ci := ConstantInfo.thmInfo v
      let t := Table.of decls
      let cx := cxOf run.st
      let r := reach t {} (usedIn v.type)
      let pp ← ppIn cx {} v.type
      let view ← viewJ cx h.imported ci v.value
      let answer := ("ok", Json.bool true) :: ("name", str (userName n)) ::
        ("levels", arr (mapL nameJ v.levelParams)) :: ("type", str pp) ::
        ("canon", str (levelNames v.levelParams ++ canon v.type "")) :: ("view", view) ::
        ("negated", str (negatedText src run.commands)) :: base
      return { header := h.text, text := text, ok := true, name := n, decl := some ci,
               auxiliary := r.new, answer := answer }
    | [] => return bad "no_theorem"
    | _ => return bad "several_theorems"
  | _ => return bad "several_commands"
where
  levelNames : List Name → String
    | [] => ""
    | n :: ns => nm n ++ " " ++ levelNames ns

def statementFor (ref : IO.Ref Session) (h : Header) (text : String) (heartbeats : Nat) :
    IO Statement := do
  let s ← ref.get
  let known := match s.statement with
    | some t => if t.text == text && t.header == h.text then some t else none
    | none => none
  match known with
  | some t => pure t
  | none => do
    let rules := { s.rules with heartbeats := heartbeats }
    let t ← if h.ok then makeStatement h rules text heartbeats
      else pure { header := h.text, text := text, ok := false,
                  answer := [("ok", .bool false), ("problem", str "header")] }
    ref.set { s with statement := some t }
    pure t

end Checker
end
