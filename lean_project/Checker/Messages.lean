module
public import Checker.Json

/-!
Messages and positions as JSON.
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

/-- The outermost tag of a message; what a hint or a trace inside it is tagged with is not its. -/
partial def tagOf : MessageData → Name
  | .withContext _ d => tagOf d
  | .withNamingContext _ d => tagOf d
  | .nest _ d => tagOf d
  | .group d => tagOf d
  | .tagged n _ => if n == `hint then .anonymous else n
  | .compose a b => if (tagOf a).isAnonymous then tagOf b else tagOf a
  | _ => .anonymous

/-- A tag without what Lean puts around an error's name. -/
partial def plainTag : Name → Name
  | .str p s =>
    if s == "_namedError" then plainTag p else
    if p.isAnonymous && s == "nested" then .anonymous else .str (plainTag p) s
  | n => n

/-- What the parser says has no context: there is no environment or goal that it speaks of. -/
def fromParser : MessageData → Bool
  | .withContext _ _ => false
  | .withNamingContext _ _ => false
  | .tagged _ _ => false
  | _ => true

/-- Lean's own name of a message; empty where it has none. -/
def kindOfMessage (d : MessageData) : String :=
  if fromParser d then "parser" else
  let n := plainTag (tagOf d)
  if n.isAnonymous then "" else nm n

def textOf (m : Message) : IO String := do
  return cut (← m.data.toString) 20000

def messageObj (m : Message) (text : String) (more : List (String × Json)) : Json :=
  let e := match m.endPos with | some p => posJ p | none => Json.null
  obj (("severity", str (severity m.severity)) :: ("pos", posJ m.pos) :: ("endPos", e) ::
    ("data", str text) :: ("kind", str (kindOfMessage m.data)) :: more)

def messageJ (m : Message) : IO Json := do
  return messageObj m (← textOf m) []

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

end Checker
end
