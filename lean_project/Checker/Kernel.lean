module
public import Checker.Declarations

/-!
The kernel's word on the new declarations, whatever the elaborator said.

Each of them is submitted again to the kernel, by `Kernel.Environment.addDeclCore`, after everything
that it rests on. The environment starts with the imports alone, and what the kernel does not accept
here never gets into it (`Replay.env`).
-/

public section
open Lean Elab
namespace Checker

structure Replay where
  env : Kernel.Environment
  seen : Names := Names.empty
  checked : Nat := 0
  skipped : List Name := []
  failed : List Json := []

def kernelError : Kernel.Exception → String
  | .deterministicTimeout => "timeout"
  | .excessiveMemory => "memory"
  | .deepRecursion => "deep_recursion"
  | .interrupted => "interrupted"
  | .unknownConstant _ n => "unknown constant " ++ nm n
  | .alreadyDeclared _ n => "already declared " ++ nm n
  | .declHasMVars .. => "has metavariables"
  | .declHasFVars .. => "has free variables"
  | .thmTypeIsNotProp .. => "type is not a proposition"
  | .other m => m
  | _ => "ill-typed"

def submit (heartbeats : USize) (n : Name) (d : Declaration) (r : Replay) : Replay :=
  match Kernel.Environment.addDeclCore r.env heartbeats d none with
  | .ok env => { r with env := env, checked := r.checked + 1 }
  | .error e =>
    { r with failed := obj [("name", str (userName n)), ("error", str (kernelError e))] :: r.failed }

def ctorsOf (t : Table) (v : InductiveVal) : List Constructor := go t v.ctors
where
  go (t : Table) : List Name → List Constructor
    | [] => []
    | c :: cs =>
      match t.get c with
      | some ci => { name := c, type := ci.type } :: go t cs
      | none => go t cs

def typesOf (t : Table) : List Name → List InductiveType
  | [] => []
  | n :: ns =>
    match t.get n with
    | some (.inductInfo v) => { name := n, type := v.type, ctors := ctorsOf t v } :: typesOf t ns
    | _ => typesOf t ns

def groupUses (t : Table) : List Name → List Name
  | [] => []
  | n :: ns =>
    match t.get n with
    | some ci => append (restsOn ci) (groupUses t ns)
    | none => groupUses t ns

/-- Submit a new declaration to the kernel after everything it rests on. Constructors and
recursors are made by the kernel with their inductive type, and compared afterwards. -/
partial def replay (hb : USize) (t : Table) (n : Name) (r : Replay) : Replay :=
  if r.seen.has n then r else
  match t.get n with
  | none => r
  | some ci =>
    let r := { r with seen := r.seen.add n }
    if !isSafe ci then { r with skipped := n :: r.skipped } else
    match ci with
    | .inductInfo v =>
      let r := { r with seen := r.seen.addAll v.all }
      let ctors := groupUses t v.all
      let r := replayAll hb t (append (groupUses t ctors) ctors) r
      submit hb n (.inductDecl v.levelParams v.numParams (typesOf t v.all) false) r
    | _ =>
      let r := replayAll hb t (restsOn ci) r
      match ci with
      | .defnInfo v => submit hb n (.defnDecl v) r
      | .thmInfo v => submit hb n (.thmDecl v) r
      | .opaqueInfo v => submit hb n (.opaqueDecl v) r
      | .axiomInfo v => submit hb n (.axiomDecl v) r
      | .quotInfo _ => { r with failed := obj [("name", nameJ n), ("error", str "quot")] :: r.failed }
      | _ => r
where
  replayAll (hb : USize) (t : Table) (ns : List Name) (r : Replay) : Replay :=
  match ns with
  | [] => r
  | n :: ns => replayAll hb t ns (replay hb t n r)

partial def sameRules : List RecursorRule → List RecursorRule → Bool
  | [], [] => true
  | a :: as, b :: bs =>
    a.ctor == b.ctor && a.nfields == b.nfields && a.rhs == b.rhs && sameRules as bs
  | _, _ => false

/-- Same declaration, by everything the kernel looks at. -/
def sameDecl : ConstantInfo → ConstantInfo → Bool
  | .thmInfo a, .thmInfo b => a.levelParams == b.levelParams && a.type == b.type
  | .defnInfo a, .defnInfo b =>
    a.levelParams == b.levelParams && a.type == b.type && a.value == b.value
  | .opaqueInfo a, .opaqueInfo b =>
    a.levelParams == b.levelParams && a.type == b.type && a.value == b.value
  | .inductInfo a, .inductInfo b =>
    a.levelParams == b.levelParams && a.type == b.type && a.numParams == b.numParams &&
    a.ctors == b.ctors
  | .ctorInfo a, .ctorInfo b =>
    a.levelParams == b.levelParams && a.type == b.type && a.induct == b.induct &&
    a.cidx == b.cidx && a.numFields == b.numFields
  | .recInfo a, .recInfo b =>
    a.levelParams == b.levelParams && a.type == b.type && a.k == b.k && sameRules a.rules b.rules
  | _, _ => false

/-- Constructors and recursors must be those the kernel made itself. -/
partial def compareMade (r : Replay) : List Decl → Replay
  | [] => r
  | (n, ci) :: ds =>
    let made := match ci with | .ctorInfo _ => true | .recInfo _ => true | _ => false
    if !made || !isSafe ci then compareMade r ds else
    match Kernel.Environment.find? r.env n with
    | some ci' =>
      if sameDecl ci' ci then compareMade { r with checked := r.checked + 1 } ds
      else compareMade
        { r with failed := obj [("name", nameJ n), ("error", str "not as generated")] :: r.failed } ds
    | none => compareMade
        { r with failed := obj [("name", nameJ n), ("error", str "not generated")] :: r.failed } ds

partial def replayNew (hb : USize) (t : Table) (r : Replay) : List Decl → Replay
  | [] => r
  | (n, _) :: ds => replayNew hb t (replay hb t n r) ds

end Checker
end
