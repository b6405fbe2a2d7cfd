module
public import Checker.Declarations
public import Checker.Term

/-!
The view of a statement: its binders, target, quantifiers, constants and numerals. No verdict rests
on it.
-/

public section
open Lean Elab
namespace Checker

partial def numerals (e : Expr) (acc : List Nat) : List Nat :=
  match e with
  | .lit (.natVal n) => if has n acc then acc else n :: acc
  | .app f a => numerals a (numerals f acc)
  | .lam _ t b _ => numerals b (numerals t acc)
  | .forallE _ t b _ => numerals b (numerals t acc)
  | .letE _ t v b _ => numerals b (numerals v (numerals t acc))
  | .mdata _ e => numerals e acc
  | .proj _ _ e => numerals e acc
  | _ => acc
where
  has (n : Nat) : List Nat → Bool
    | [] => false
    | m :: ms => if n == m then true else has n ms

structure View where
  binders : List Json := []
  lctx : LocalContext := {}
  next : Nat := 0

partial def walk (cx : Cx) (arity : Nat) (v : View) (e : Expr) : IO (View × Expr) := do
  match arity, e with
  | 0, _ => pure (v, e)
  | k + 1, .forallE n t b bi => do
    let pp ← ppIn cx v.lctx t
    let prop ← isProof cx v.lctx t
    let tj ← tree cx v.lctx v.next t
    let j := obj [("name", nameJ n.eraseMacroScopes), ("type", str pp), ("info", binderInfoJ bi),
      ("is_prop", .bool prop), ("accessible", .bool (!n.hasMacroScopes)), ("head", headOf t),
      ("used_later", .bool b.hasLooseBVars), ("tree", tj)]
    let id := fvarAt v.next
    let lctx := LocalContext.mkLocalDecl v.lctx id n t bi .default
    walk cx k { binders := j :: v.binders, lctx := lctx, next := v.next + 1 }
      (b.instantiate1 (.fvar id))
  | k + 1, .mdata _ e => walk cx (k + 1) v e
  | _, _ => pure (v, e)

partial def lambdas : Expr → Nat
  | .lam _ _ b _ => lambdas b + 1
  | .mdata _ e => lambdas e
  | _ => 0

/-- Quantifier prefix of the target: its leading `∀`, `→` and `∃`, as far as they go. -/
partial def quantifiers (cx : Cx) (lctx : LocalContext) (i : Nat) (e : Expr) (acc : List Json) :
    IO (List Json) := do
  match e with
  | .mdata _ e => quantifiers cx lctx i e acc
  | .forallE n t b bi => step (if b.hasLooseBVars then "forall" else "imp") n t b bi
  | .app (.app (.const ``Exists _) _) (.lam n t b bi) => step "exists" n t b bi
  | _ => pure acc
where
  step (what : String) (n : Name) (t b : Expr) (bi : BinderInfo) : IO (List Json) := do
    let pp ← ppIn cx lctx t
    let prop ← isProof cx lctx t
    let j := obj [("q", str what), ("name", nameJ n.eraseMacroScopes), ("type", str pp),
      ("is_prop", .bool prop)]
    let id := fvarAt i
    quantifiers cx (LocalContext.mkLocalDecl lctx id n t bi .default) (i + 1)
      (b.instantiate1 (.fvar id)) (j :: acc)

/-- Constants that are not imported: the header's own. -/
partial def ownNames (imported : Environment) : List Name → List Json
  | [] => []
  | n :: ns =>
    match @Environment.find? imported n false with
    | some _ => ownNames imported ns
    | none => str (userName n) :: ownNames imported ns

def viewJ (cx : Cx) (imported : Environment) (ci : ConstantInfo) (value : Expr) : IO Json := do
  let (v, target) ← walk cx (lambdas value) {} ci.type
  let pp ← ppIn cx v.lctx target
  let qs ← quantifiers cx v.lctx v.next target []
  let tj ← tree cx v.lctx v.next target
  let used := usedIn ci.type
  return obj [("binders", arr (revOnto v.binders [])), ("target", str pp), ("head", headOf target),
    ("quantifiers", arr (revOnto qs [])), ("tree", tj),
    ("constants", arr (mapL nameJ used)), ("own", arr (ownNames imported used)),
    ("numerals", arr (mapL jn (revOnto (numerals ci.type []) [])))]

/-! ## The view of a goal in the middle of a proof -/

/-- Binders of a goal's context, as far as a proof can use them; the value of a `let` is not told. -/
partial def contextJ (cx : Cx) (mctx : MetavarContext) (lctx : LocalContext) (acc : List Json) :
    List (Option LocalDecl) → IO (List Json)
  | [] => pure (revOnto acc [])
  | some (.cdecl _ _ n t bi .default) :: r => do
    contextJ cx mctx lctx ((← binderOf n t bi) :: acc) r
  | some (.ldecl _ _ n t _ _ .default) :: r => do
    contextJ cx mctx lctx ((← binderOf n t .default) :: acc) r
  | _ :: r => contextJ cx mctx lctx acc r
where
  binderOf (n : Name) (t : Expr) (bi : BinderInfo) : IO Json := do
    let t := (instantiateMVarsCore mctx t).1
    let pp ← ppIn cx lctx t
    let prop ← isProof cx lctx t
    let tj ← tree cx lctx 0 t
    return obj [("name", nameJ n), ("type", str pp), ("info", binderInfoJ bi),
      ("is_prop", .bool prop), ("tree", tj)]

def goalViewJ (ci : ContextInfo) (mctx : MetavarContext) (g : MVarId) : IO Json := do
  match @MetavarContext.findDecl? mctx g with
  | none => return Json.null
  | some d => do
    let cx : Cx := { env := ci.env, opts := ci.options, ns := ci.currNamespace,
                     opens := ci.openDecls }
    let type := strip (instantiateMVarsCore mctx d.type).1
    let binders ← contextJ cx mctx d.lctx [] (vecList d.lctx.decls)
    let pp ← ppIn cx d.lctx type
    let tj ← tree cx d.lctx 0 type
    return obj [("binders", arr binders), ("target", str pp), ("head", headOf type), ("tree", tj),
      ("constants", arr (mapL nameJ (usedIn type))),
      ("numerals", arr (mapL jn (revOnto (numerals type []) [])))]

end Checker
end
