module
public import Checker.Declarations
public import Checker.Rules

/-!
Code of a candidate that Lean would run while it elaborates.

No command of a candidate defines a tactic or a macro (`Rules.lean`), but three features of the
language run the code of plain definitions:
- a tactic's configuration, `simp (maxSteps := e)`, is compiled and run, and `e` may use what is
  unsafe. Hence a value is data: numerals, `true`, constructors, structures of such;
- a default that a tactic finds, `autoParam P stx`, runs whatever syntax `stx` computes, kinds that
  the rules forbid included. Hence only the elaborator makes constants of type `Syntax`;
- `native_decide` and `Lean.reduceBool` run a definition and believe it; `reduceBool` does so
  without an axiom that a walk over the proof could see. Hence neither may be named.

What is left can run only safe and total code, which does no harm as long as it is well typed.
After `sorry`, an error or an axiom, types can be confused; from there on configurations have no
values if the candidate defined anything that could be run.
-/

public section
open Lean Elab
namespace Checker

/-- What a configuration's value may be made of, beside identifiers of `plainNames`. -/
def plainKinds : List Name := [
  `null, `num, `str, `scientific, `«term[_]», `«term-_», `Lean.Parser.Term.paren,
  `Lean.Parser.Term.app, `Lean.Parser.Term.hygienicLParen, `hygieneInfo,
  `Lean.Parser.Term.structInst, `Lean.Parser.Term.structInstFields,
  `Lean.Parser.Term.structInstField, `Lean.Parser.Term.structInstFieldDef,
  `Lean.Parser.Term.optEllipsis]

def plainNames : List Name := [`true, `false, `none, `some]

partial def plainValue : Syntax → Bool
  | .node _ k args =>
    if k == `Lean.Parser.Term.dotIdent || k == `Lean.Parser.Term.structInstLVal then true
    else if isMember k plainKinds then all args.toList else false
  | .ident _ _ n _ => isMember n plainNames
  | .atom _ _ => true
  | .missing => true
where
  all : List Syntax → Bool
    | [] => true
    | s :: r => if plainValue s then all r else false

/-- What a name must not contain: the words of the compiler's word for a proof. -/
def believed : List String :=
  ["reduceBool", "reduceNat", "ofReduceBool", "ofReduceNat", "trustCompiler"]

partial def isWord (s : String) : List String → Bool
  | [] => false
  | t :: ts => if s == t then true else isWord s ts

partial def anyPart (p : String → Bool) : Name → Bool
  | .str n s => if p s then true else anyPart p n
  | .num n _ => anyPart p n
  | .anonymous => false

/-- Is it `_auto…`, as the elaborator calls the syntax of a default? -/
def isAuto (s : String) : Bool := String.Pos.Raw.extract s 0 ⟨5⟩ == "_auto"

def isNative (n : Name) : Bool := n == `native

/-- Everything in one parsed command that would run code of the candidate. -/
partial def evaluated (fm : FileMap) (confused : Bool) (s : Syntax) (inConfig : Bool)
    (acc : List Json) : List Json :=
  match s with
  | .ident _ _ n _ =>
    if anyPart (fun s => isWord s believed) n then finding fm "axiom" n s :: acc
    else if anyPart isAuto n then finding fm "syntax" n s :: acc
    else if inConfig && isNative n then finding fm "axiom" `Lean.trustCompiler s :: acc
    else acc
  | .node _ k args =>
    let valued := k == `Lean.Parser.Tactic.valConfigItem || k == `Lean.Parser.Tactic.config
    let acc := if k == `Lean.Parser.Tactic.nativeDecide then
      finding fm "axiom" `Lean.trustCompiler s :: acc else acc
    let acc := if valued && (confused || !plainValue (s.getArg 3)) then
      finding fm "syntax" k s :: acc else acc
    let config := inConfig || valued || k == `Lean.Parser.Tactic.posConfigItem
    all fm confused config args.toList acc
  | _ => acc
where
  all (fm : FileMap) (confused : Bool) (inConfig : Bool) (l : List Syntax) (acc : List Json) :
      List Json :=
    match l with
    | [] => acc
    | x :: xs => all fm confused inConfig xs (evaluated fm confused x inConfig acc)

/-- What the commands so far have declared. -/
structure Declared where
  /-- something that could be run -/
  code : Bool := false
  /-- something that rests on `sorry` or an axiom beyond Lean's own -/
  doubt : Bool := false
  /-- a constant that `autoParam` could run -/
  syntaxes : List Name := []

partial def anyAxiom (env : Environment) : List Name → Bool
  | [] => false
  | n :: ns =>
    if importedAxiom env n && !isMember n [``propext, ``Classical.choice, ``Quot.sound] then true
    else anyAxiom env ns

def isCode : ConstantInfo → Bool
  | .defnInfo _ => true
  | .opaqueInfo _ => true
  | _ => false

def isSyntax (type : Expr) : Bool := match type with | .const n _ => n == ``Lean.Syntax | _ => false

def lastPart : Name → String
  | .str _ s => s
  | .num n _ => lastPart n
  | .anonymous => ""

partial def Declared.note (env : Environment) (d : Declared) : List Decl → Declared
  | [] => d
  | (n, ci) :: r =>
    let isAx := match ci with | .axiomInfo _ => true | _ => false
    let doubt := d.doubt || isAx || anyAxiom env (restsOn ci)
    let code := d.code || (isCode ci && !(ap privateToUserName n).isInternal)
    let syntaxes := if isSyntax ci.type && !isAuto (lastPart n.eraseMacroScopes) then
      n :: d.syntaxes else d.syntaxes
    Declared.note env { d with code := code, doubt := doubt, syntaxes := syntaxes } r

end Checker
end
