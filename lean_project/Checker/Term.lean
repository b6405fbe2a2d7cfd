module
public import Checker.Json

/-!
Terms for provers that read them: pretty-printed, and as a tree. Only a view; no verdict rests on it.
-/

public section
open Lean Elab
namespace Checker

structure Cx where
  env : Environment
  opts : Options
  ns : Name
  opens : List OpenDecl

def ppIn (cx : Cx) (lctx : LocalContext) (e : Expr) : IO String := do
  let inner := MessageData.withContext
    { env := cx.env, mctx := {}, lctx := lctx, opts := cx.opts } (MessageData.ofExpr e)
  (MessageData.withNamingContext { currNamespace := cx.ns, openDecls := cx.opens } inner).toString

def cxOf (st : Command.State) : Cx :=
  match st.scopes with
  | sc :: _ => { env := st.env, opts := sc.opts, ns := sc.currNamespace, opens := sc.openDecls }
  | [] => { env := st.env, opts := {}, ns := .anonymous, opens := [] }

/-- Is this type a proposition? -/
def isProof (cx : Cx) (lctx : LocalContext) (type : Expr) : IO Bool := do
  let core : Core.Context :=
    { fileName := "<view>"
      fileMap := FileMap.ofString ""
      options := cx.opts
      currNamespace := cx.ns
      openDecls := cx.opens }
  let coreRef ← IO.mkRef ({ env := cx.env, ngen := { namePrefix := `view.m } } : Core.State)
  let metaRef ← IO.mkRef ({} : Meta.State)
  match (← EIO.toBaseIO (Meta.isProp type { lctx := lctx } metaRef core coreRef)) with
  | .ok b => pure b
  | .error _ => pure false

def headOf (e : Expr) : Json :=
  match e.getAppFn with
  | .const n _ => nameJ n
  | .forallE .. => str "forall"
  | .sort _ => str "Sort"
  | .fvar _ => str "variable"
  | _ => Json.null

def binderInfoJ : BinderInfo → Json
  | .default => str "explicit" | .implicit => str "implicit"
  | .strictImplicit => str "strict" | .instImplicit => str "instance"

def fvarAt (i : Nat) : FVarId := ⟨.num `view.x i⟩

def shownName (lctx : LocalContext) (id : FVarId) : String :=
  match LocalContext.find? lctx id with | some d => nm d.userName | none => "?"

partial def argsOf (e : Expr) (acc : List Expr) : List Expr :=
  match e with
  | .app f a => argsOf f (a :: acc)
  | .mdata _ e => argsOf e acc
  | _ => acc
partial def strip : Expr → Expr
  | .mdata _ e => strip e
  | e => e
partial def fnOf : Expr → Expr
  | .app f _ => fnOf f
  | .mdata _ e => fnOf e
  | e => e

/-- Explicit arguments of an application of a constant of type `ty`. -/
partial def explicitArgs (ty : Expr) : List Expr → List Expr
  | [] => []
  | a :: as =>
    match ty with
    | .forallE _ _ b bi =>
      match bi with
      | .default => a :: explicitArgs b as
      | _ => explicitArgs b as
    | _ => a :: explicitArgs ty as

/-- A term as JSON: `n` numeral, `v` variable, `c` constant with its explicit arguments `a` and
the head `t` of its first implicit argument, `b` binder (`fun`, `forall`, `imp`, `let`) with name
`x`, type `t` and body `e`. Instances and implicit arguments are left out. -/
partial def tree (cx : Cx) (lctx : LocalContext) (i : Nat) (e : Expr) : IO Json := do
  match e with
  | .mdata _ e => tree cx lctx i e
  | .lit (.natVal n) => pure (obj [("n", jn n)])
  | .lit (.strVal s) => pure (obj [("s", str s)])
  | .sort _ => do pure (obj [("sort", str (← ppIn cx lctx e))])
  | .forallE n t b bi => binder (if b.hasLooseBVars then "forall" else "imp") n t b bi
  | .lam n t b bi => binder "fun" n t b bi
  | .letE n t v b _ => do
    let tv ← tree cx lctx i v
    let body ← tree cx lctx i (b.instantiate1 v)
    pure (obj [("b", str "let"), ("x", nameJ n), ("t", ← tree cx lctx i t), ("value", tv), ("e", body)])
  | .fvar id => pure (obj [("v", str (shownName lctx id))])
  | .proj s k e => do pure (obj [("proj", nameJ s), ("i", jn k), ("e", ← tree cx lctx i e)])
  | .const n _ => pure (obj [("c", nameJ n)])
  | .app .. => do
    let args := argsOf e []
    match fnOf e with
    | .const n _ =>
      let first := match args with | a :: _ => headOf (strip a) | [] => Json.null
      match n, args with
      | ``OfNat.ofNat, [_, .lit (.natVal k), _] => pure (obj [("n", jn k), ("t", first)])
      | _, _ =>
        let (ty, implicitFirst) := match @Environment.find? cx.env n true with
          | some ci => match ci.type with
            | .forallE _ _ _ .default => (ci.type, false)
            | t => (t, true)
          | none => (Expr.bvar 0, false)
        let as ← mapIO (tree cx lctx i) (explicitArgs ty args)
        let r := [("c", nameJ n), ("a", arr as)]
        pure (obj (if implicitFirst then ("t", first) :: r else r))
    | .fvar id => do
      let as ← mapIO (tree cx lctx i) args
      pure (obj [("v", str (shownName lctx id)), ("a", arr as)])
    | f => do
      let as ← mapIO (tree cx lctx i) args
      pure (obj [("f", ← tree cx lctx i f), ("a", arr as)])
  | _ => do pure (obj [("pp", str (← ppIn cx lctx e))])
where
  binder (what : String) (n : Name) (t b : Expr) (bi : BinderInfo) : IO Json := do
    let id := fvarAt i
    let lctx' := LocalContext.mkLocalDecl lctx id n t bi .default
    let tj ← tree cx lctx i t
    let bj ← tree cx lctx' (i + 1) (b.instantiate1 (.fvar id))
    pure (obj [("b", str what), ("x", nameJ n), ("t", tj), ("e", bj)])

end Checker
end
