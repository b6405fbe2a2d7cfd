module
public import Checker.Json

/-!
Declarations: which are new, what they rest on, and the axioms among that.
-/

public section
open Lean Elab
namespace Checker

abbrev Decl := Name × ConstantInfo

partial def newDecls (old : Environment) (l : List Decl) (acc : List Decl := []) : List Decl :=
  match l with
  | [] => acc
  | (n, ci) :: r =>
    match @Environment.find? old n true with
    | some _ => newDecls old r acc
    | none => newDecls old r ((n, ci) :: acc)

def declsSince (old new : Environment) : List Decl :=
  newDecls old (mapNode new.constants.map₂.root [])

structure Table where
  buckets : Array (List Decl)
def Table.get (t : Table) (n : Name) : Option ConstantInfo := go (t.buckets.getD (Names.slot n) [])
where
  go : List Decl → Option ConstantInfo
    | [] => none
    | (m, ci) :: r => if m == n then some ci else go r
partial def Table.fill (t : Table) : List Decl → Table
  | [] => t
  | (n, ci) :: r =>
    let i := Names.slot n
    Table.fill ⟨t.buckets.setIfInBounds i ((n, ci) :: t.buckets.getD i [])⟩ r
def Table.of (l : List Decl) : Table := Table.fill ⟨Array.replicate 256 []⟩ l

def usedIn (e : Expr) : List Name := (ap Expr.getUsedConstants e).toList

def kindOf : ConstantInfo → String
  | .axiomInfo _ => "axiom" | .defnInfo _ => "def" | .thmInfo _ => "theorem"
  | .opaqueInfo _ => "opaque" | .quotInfo _ => "quot" | .inductInfo _ => "inductive"
  | .ctorInfo _ => "constructor" | .recInfo _ => "recursor"

/-- Names a declaration rests on (type and value; for inductive types their constructors). -/
def restsOn (ci : ConstantInfo) : List Name :=
  let t := usedIn ci.type
  match ci with
  | .defnInfo v => append (usedIn v.value) t
  | .thmInfo v => append (usedIn v.value) t
  | .opaqueInfo v => append (usedIn v.value) t
  | .inductInfo v => append v.ctors (append v.all t)
  | .ctorInfo v => v.induct :: t
  | .recInfo v => append v.all t
  | _ => t

def isSafe : ConstantInfo → Bool
  | .defnInfo v => match v.safety with | .safe => true | _ => false
  | .opaqueInfo v => !v.isUnsafe
  | .inductInfo v => !v.isUnsafe
  | .ctorInfo v => !v.isUnsafe
  | .recInfo v => !v.isUnsafe
  | .axiomInfo v => !v.isUnsafe
  | _ => true

/-- Walk from `todo` over the new declarations. -/
structure Reach where
  seen : Names := Names.empty
  /-- new declarations reached, with their kinds -/
  new : List Decl := []
  /-- imported constants reached -/
  imported : List Name := []

partial def reach (t : Table) (r : Reach) : List Name → Reach
  | [] => r
  | n :: todo =>
    if r.seen.has n then reach t r todo else
    let r := { r with seen := r.seen.add n }
    match t.get n with
    | none => reach t { r with imported := n :: r.imported } todo
    | some ci => reach t { r with new := (n, ci) :: r.new } (append (restsOn ci) todo)

/-- Is this imported constant an axiom at its origin? (Exported-level files show theorems without
their bodies, as axioms; the environment keeps the original kind.) The two functions by which the
kernel runs compiled code count as axioms: their bodies, which are not there, rest on one. -/
def importedAxiom (env : Environment) (n : Name) : Bool :=
  if n == ``Lean.reduceBool || n == ``Lean.reduceNat then true else
  match @Environment.find? env n false with
  | some (.axiomInfo _) =>
    match getOriginalConstKind? env n with
    | some .axiom => true
    | some _ => false
    | none => true
  | some _ => false
  | none => true

partial def axiomsOf (env : Environment) (l : List Name) (acc : List Name := []) : List Name :=
  match l with
  | [] => acc
  | n :: ns => axiomsOf env ns (if importedAxiom env n then n :: acc else acc)
partial def newAxioms (l : List Decl) (acc : List Name := []) : List Name :=
  match l with
  | [] => acc
  | (n, .axiomInfo _) :: r => newAxioms r (n :: acc)
  | _ :: r => newAxioms r acc

partial def theorems (l : List Decl) (acc : List Decl := []) : List Decl :=
  match l with
  | [] => acc
  | (n, ci) :: r =>
    match ci with
    | .thmInfo _ =>
      theorems r (if (ap privateToUserName n).isInternal then acc else (n, ci) :: acc)
    | _ => theorems r acc

end Checker
end
