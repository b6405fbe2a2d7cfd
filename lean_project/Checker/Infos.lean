module
public import Checker.Messages
public import Checker.View

/-!
What the elaborator noted about a text (its info trees): the goals of every `sorry`, the goal at a
place, and the library's declarations that the text names. No verdict rests on it.
-/

public section
open Lean Elab
namespace Checker

/-- Visit every note of the elaborator, in the order of the text. -/
partial def visit {α : Type} (f : ContextInfo → Info → α → IO α) (ci? : Option ContextInfo)
    (acc : α) : InfoTree → IO α
  | .context c t => visit f (ap2 PartialContextInfo.mergeIntoOuter? c ci?) acc t
  | .hole _ => pure acc
  | .node i ch => do
    let acc ← match ci? with
      | some ci => f ci i acc
      | none => pure acc
    all f ci? acc (vecList ch)
where
  all {α : Type} (f : ContextInfo → Info → α → IO α) (ci? : Option ContextInfo) (acc : α) :
      List InfoTree → IO α
  | [] => pure acc
  | t :: ts => do all f ci? (← visit f ci? acc t) ts

def visitAll {α : Type} (f : ContextInfo → Info → α → IO α) (trees : List InfoTree) (acc : α) :
    IO α :=
  visit.all f none acc trees

/-! ## Goals -/

def longestGoal : Nat := 4000

/-- One goal as Lean prints it, with its hypotheses. -/
def goalText (ci : ContextInfo) (mctx : MetavarContext) (g : MVarId) : IO String := do
  let f ← ContextInfo.ppGoals { ci with mctx := mctx } [g]
  return cut (@Format.pretty f 120 0 0) longestGoal

/-- The goal of a term: what is expected at its place, under the hypotheses there. -/
def termMVar : MVarId := ⟨`checker.goal⟩
def termMCtx (ci : ContextInfo) (ti : TermInfo) (type : Expr) : MetavarContext :=
  @MetavarContext.addExprMVarDecl ci.mctx termMVar .anonymous ti.lctx #[] type .natural 0

def termGoal (ci : ContextInfo) (ti : TermInfo) (type : Expr) : IO String :=
  goalText ci (termMCtx ci ti type) termMVar

def holeJ (fm : FileMap) (stx : Syntax) (ci : ContextInfo) (mctx : MetavarContext) (g : MVarId)
    (term : Bool) : IO Json := do
  return obj [("pos", startOf fm stx), ("endPos", stopOf fm stx), ("term", .bool term),
    ("goal", str (← goalText ci mctx g)), ("view", ← goalViewJ ci mctx g)]

/-- A `sorry` written in the source, with its first goal. -/
def hole (fm : FileMap) (ci : ContextInfo) (i : Info) (acc : List Json) : IO (List Json) := do
  match i with
  | .ofTacticInfo ti =>
    if ti.stx.getKind == `Lean.Parser.Tactic.tacticSorry then do
      match ti.goalsBefore with
      | g :: _ => return (← holeJ fm ti.stx ci ti.mctxBefore g false) :: acc
      | [] => return acc
    else return acc
  | .ofTermInfo ti =>
    if ti.stx.getKind == `Lean.Parser.Term.sorry && isOriginal ti.stx then do
      match ti.expectedType? with
      | some type =>
        return (← holeJ fm ti.stx ci (termMCtx ci ti type) termMVar true) :: acc
      | none => return acc
    else return acc
  | _ => return acc

/-- Goals of every `sorry` written in a source, in source order. -/
def holesOf (fm : FileMap) (trees : List InfoTree) : IO (List Json) := do
  return revOnto (← visitAll (hole fm) trees []) []

/-- The smallest place around a stretch of the text for which a goal is known. -/
structure Place where
  width : Nat
  ci : ContextInfo
  info : Info

def narrower (a b : String.Pos.Raw) (stx : Syntax) (best : Option Place) : Option Nat :=
  match @Syntax.getPos? stx true, @Syntax.getTailPos? stx true with
  | some p, some q =>
    if p.byteIdx <= a.byteIdx && b.byteIdx <= q.byteIdx then
      let w := q.byteIdx - p.byteIdx
      match best with
      | some old => if w <= old.width then some w else none
      | none => some w
    else none
  | _, _ => none

/-- Is there nothing to prove where this is expected: any type, or a type not yet known? -/
def isHole (mctx : MetavarContext) (type : Expr) : Bool :=
  match (instantiateMVarsCore mctx type).1.getAppFn with
  | .mvar _ => true
  | .sort _ => true
  | _ => false

def closer (a b : String.Pos.Raw) (ci : ContextInfo) (i : Info) (best : Option Place) :
    IO (Option Place) := do
  match i with
  | .ofTacticInfo ti =>
    if isNil ti.goalsBefore then return best else
    match narrower a b ti.stx best with
    | some w => return some ⟨w, ci, i⟩
    | none => return best
  | .ofTermInfo ti =>
    match ti.expectedType? with
    | some type =>
      match narrower a b ti.stx best with
      | some w => return (if isHole ci.mctx type then best else some ⟨w, ci, i⟩)
      | none => return best
    | none => return best
  | _ => return best

/-- The first goal at a stretch of the text. -/
def goalAt (trees : List InfoTree) (a b : String.Pos.Raw) : IO (List String) := do
  match (← visitAll (closer a b) trees none) with
  | some ⟨_, ci, .ofTacticInfo ti⟩ =>
    match ti.goalsBefore with
    | g :: _ => return [← goalText ci ti.mctxBefore g]
    | [] => return []
  | some ⟨_, ci, .ofTermInfo ti⟩ =>
    match ti.expectedType? with
    | some type => return [← termGoal ci ti type]
    | none => return []
  | _ => return []

/-- Goals that a message shows. -/
partial def shownGoals (nc : NamingContext) (c? : Option MessageDataContext) (acc : List String) :
    MessageData → IO (List String)
  | .withContext c d => shownGoals nc (some c) acc d
  | .withNamingContext nc d => shownGoals nc c? acc d
  | .nest _ d => shownGoals nc c? acc d
  | .group d => shownGoals nc c? acc d
  | .tagged _ d => shownGoals nc c? acc d
  | .ofWidget _ d => shownGoals nc c? acc d
  | .compose a b => do shownGoals nc c? (← shownGoals nc c? acc a) b
  | .ofGoal g => do
    match c? with
    | some c =>
      let d := MessageData.withNamingContext nc (MessageData.withContext c (MessageData.ofGoal g))
      return cut (← d.toString) longestGoal :: acc
    | none => return acc
  | _ => return acc

/-- What is left to prove where a text fails: for each of the first errors the goals that its
message shows, or else the goal at its place. What the parser says speaks of no goal. -/
partial def goalsOf (fm : FileMap) (trees : List InfoTree) (n : Nat) (acc : List String) :
    List Message → IO (List String)
  | [] => return revOnto acc []
  | m :: ms => do
    if n == 0 then return revOnto acc [] else
    if !hasError [m] || fromParser m.data then goalsOf fm trees n acc ms else
    let said ← shownGoals { currNamespace := .anonymous, openDecls := [] } none [] m.data
    let a := FileMap.ofPosition fm m.pos
    let b := match m.endPos with | some p => FileMap.ofPosition fm p | none => a
    let found ← if isNil said then goalAt trees a b else pure said
    goalsOf fm trees (n - 1) (append found acc) ms

/-! ## Names -/

/-- The declaration that an identifier of the text stands for. What a notation stands for is not
named in the text. -/
def denoted : Info → Option (Syntax × Name)
  | .ofTermInfo ti =>
    match ti.expr with
    | .const n _ =>
      if ti.stx.isIdent || isMember ti.stx.getKind dotted then some (ti.stx, n) else none
    | _ => none
  | .ofFieldInfo fi => if fi.stx.isIdent then some (fi.stx, fi.projName) else none
  | _ => none
where
  /-- `.symm` alone, and the `symm` of `h.symm` -/
  dotted : List Name := [`Lean.Parser.Term.dotIdent, `Lean.Parser.Term.identProj]

/-- The declarations of an environment that a text names outside the stretch from `a` to `b`. -/
def namedIn (env : Environment) (a b : String.Pos.Raw) (trees : List InfoTree) :
    IO (List Name) := do
  let found ← visitAll (fun _ i (acc : Names × List Name) => do
    match denoted i with
    | some (stx, n) =>
      if !isOriginal stx || acc.1.has n then return acc else
      match @Syntax.getPos? stx true with
      | some p =>
        if a.byteIdx <= p.byteIdx && p.byteIdx < b.byteIdx then return acc else
        match @Environment.find? env n false with
        | some _ => return (acc.1.add n, n :: acc.2)
        | none => return acc
      | none => return acc
    | none => return acc) trees (Names.empty, [])
  return found.2

end Checker
end
