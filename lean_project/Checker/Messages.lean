module
public import Checker.Json

/-!
Messages and positions as JSON, and the goals of every `sorry`.
-/

public section
open Lean Elab
namespace Checker

def severity : MessageSeverity → String
  | .information => "info" | .warning => "warning" | .error => "error"

/-- At most about `n` bytes of a text, cut between two characters. -/
partial def cut (s : String) (n : Nat) : String :=
  if s.utf8ByteSize <= n then s else
  let t := String.Pos.Raw.extract s 0 ⟨n⟩
  if t.utf8ByteSize <= n then t else cut s (n + 1)

def messageJ (m : Message) : IO Json := do
  let s := cut (← m.data.toString) 20000
  let e := match m.endPos with | some p => posJ p | none => Json.null
  return obj [("severity", str (severity m.severity)), ("pos", posJ m.pos), ("endPos", e),
    ("data", str s)]

partial def hasError : List Message → Bool
  | [] => false
  | m :: ms => match m.severity with | .error => true | _ => hasError ms

partial def first (n : Nat) (errors : Bool) : List Message → List Message
  | [] => []
  | m :: ms =>
    if n == 0 then [] else
    if hasError [m] == errors then m :: first (n - 1) errors ms else first n errors ms

/-- The messages that an answer tells: of very many, the first errors and the first others. -/
def told (ms : List Message) : List Message :=
  if len ms <= 400 then ms else append (first 200 true ms) (first 200 false ms)

def isOriginal (s : Syntax) : Bool := match s.getHeadInfo with | .original .. => true | _ => false

def startOf (fm : FileMap) (s : Syntax) : Json :=
  match @Syntax.getPos? s false with | some p => posJ (FileMap.toPosition fm p) | none => .null
def stopOf (fm : FileMap) (s : Syntax) : Json :=
  match @Syntax.getTailPos? s false with | some p => posJ (FileMap.toPosition fm p) | none => .null

/-- Goals of every `sorry` written in the source, in source order reversed. -/
partial def holes (fm : FileMap) (ci? : Option ContextInfo) (acc : List Json) :
    InfoTree → IO (List Json)
  | .context c t => holes fm (ap2 PartialContextInfo.mergeIntoOuter? c ci?) acc t
  | .hole _ => pure acc
  | .node i ch => do
    let acc ← match ci?, i with
      | some ci, .ofTacticInfo ti =>
        if ti.stx.getKind == `Lean.Parser.Tactic.tacticSorry then do
          let f ← ContextInfo.ppGoals { ci with mctx := ti.mctxBefore } ti.goalsBefore
          pure (hole fm ti.stx (@Format.pretty f 120 0 0) :: acc)
        else pure acc
      | some ci, .ofTermInfo ti =>
        if ti.stx.getKind == `Lean.Parser.Term.sorry && isOriginal ti.stx then do
          match ti.expectedType? with
          | some ty =>
            let cx : MessageDataContext :=
              { env := ci.env, mctx := ci.mctx, lctx := ti.lctx, opts := ci.options }
            let g ← (MessageData.withContext cx (MessageData.ofExpr ty)).toString
            pure (hole fm ti.stx ("⊢ " ++ g) :: acc)
          | none => pure acc
        else pure acc
      | _, _ => pure acc
    all fm ci? acc (vecList ch)
where
  all (fm : FileMap) (ci? : Option ContextInfo) (acc : List Json) : List InfoTree → IO (List Json)
  | [] => pure acc
  | t :: ts => do all fm ci? (← holes fm ci? acc t) ts
  hole (fm : FileMap) (stx : Syntax) (g : String) : Json :=
    obj [("pos", startOf fm stx), ("endPos", stopOf fm stx), ("goal", str g)]

/-- Goals of every `sorry` written in a source, in source order. -/
def holesOf (fm : FileMap) (trees : List InfoTree) : IO (List Json) := do
  return revOnto (← holes.all fm none [] trees) []

end Checker
end
