module
public import Lean.Elab.Frontend
public import Lean.Data.Json

/-!
The exporter: writes the public declarations of a library as JSON lines, one declaration each.

Arguments: the module to import (`Std`), a shard and the number of shards (`0 2`: every second
module, from the first), then the roots of the modules whose declarations are wanted (`Init Std`).
Fields of a line: `name`, `kind`, `module`, `type` (pretty printed), `instance`, `class`, `head`
(head constant of the conclusion, or null), `constants` (constants in the type). Names that the
compiler makes beside a declaration (`X.casesOn`, `X.eq_1`, …) are left out. The last line is
`{"count": n}`: an output without it is not whole.

Style: see `Checker.lean`.
-/

open Lean Elab

namespace Export

@[noinline] def ap {α β} (f : α → β) (a : α) : β := f a

def kindOf : ConstantKind → String
  | .defn => "def" | .thm => "theorem" | .axiom => "axiom" | .opaque => "opaque"
  | .quot => "quot" | .induct => "inductive" | .ctor => "ctor" | .recursor => "rec"

def kindOfInfo : ConstantInfo → String
  | .axiomInfo _ => "axiom" | .defnInfo _ => "def" | .thmInfo _ => "theorem"
  | .opaqueInfo _ => "opaque" | .quotInfo _ => "quot" | .inductInfo _ => "inductive"
  | .ctorInfo _ => "ctor" | .recInfo _ => "rec"

/-- The kind as declared: at the exported level a theorem arrives as an axiom. -/
def declaredKind (env : Environment) (info : ConstantInfo) : String :=
  match getOriginalConstKind? env info.name with
  | some kind => kindOf kind
  | none => kindOfInfo info

def nameText (n : Name) : String := ap (fun (n : Name) => n.toString) n

partial def nameJson (acc : Array Json) : List Name → Array Json
  | [] => acc
  | n :: ns => nameJson (acc.push (.str (nameText n))) ns

/-- Head constant of the conclusion, under all arguments. -/
partial def conclusionHead : Expr → Option Name
  | .forallE _ _ b _ => conclusionHead b
  | .letE _ _ _ b _ => conclusionHead b
  | .mdata _ e => conclusionHead e
  | .app f _ => conclusionHead f
  | .const n _ => some n
  | _ => none

partial def allDigits : List Char → Bool
  | [] => true
  | c :: cs => if c.isDigit then allDigits cs else false

/-- `eq_1`, `eq_2`, …: the equations of a definition. -/
def isEquation (s : String) : Bool :=
  match s.toList with
  | 'e' :: 'q' :: '_' :: digits => allDigits digits
  | _ => false

/-- Last components that the compiler makes beside a declaration of the user. -/
def autoSuffix (s : String) : Bool :=
  s == "injEq" || s == "inj" || s == "sizeOf_spec" || s == "noConfusion" ||
  s == "noConfusionType" || s == "casesOn" || s == "recOn" || s == "brecOn" || s == "below" ||
  s == "ibelow" || s == "binductionOn" || s == "toCtorIdx" || s == "ctorIdx" ||
  s == "ctorElim" || s == "ctorElimType" || s == "induct" || s == "induct_unfolding" ||
  s == "fun_cases" || s == "fun_cases_unfolding" || s == "mutual_induct" || s == "eq_def" ||
  s == "congr_simp" || s == "hcongr" || s == "partial_correctness" || isEquation s ||
  "match_".isPrefixOf s || "proof_".isPrefixOf s || "_".isPrefixOf s

/-- True when some component of the name looks made by the compiler. -/
def isAuto : Name → Bool
  | .anonymous => false
  | .str p s => autoSuffix s || isAuto p
  | .num _ _ => true

def lineOf (env : Environment) (module : Name) (info : ConstantInfo) : IO String := do
  let n := info.name
  let m := MessageData.withContext { env := env, mctx := {}, lctx := {}, opts := {} }
    (MessageData.ofExpr info.type)
  let type ← m.toString
  let head := match conclusionHead info.type with
    | some h => Json.str (nameText h)
    | none => Json.null
  let used := (ap Expr.getUsedConstants info.type).toList
  let fields := [
    ("name", Json.str (nameText n)), ("kind", .str (declaredKind env info)),
    ("module", .str (nameText module)), ("type", .str type),
    ("instance", .bool (Meta.isInstanceCore env n)), ("class", .bool (isClass env n)),
    ("head", head), ("constants", .arr (nameJson #[] used))]
  return ap Json.compress (ap Json.mkObj fields) ++ "\n"

/-- Write the lines of one module; `buffer` collects them into large writes. -/
partial def declarations (env : Environment) (out : IO.FS.Handle) (buffer : IO.Ref String)
    (module : Name) : List ConstantInfo → Nat → IO Nat
  | [], count => pure count
  | info :: rest, count => do
    if info.name.isInternal || isPrivateName info.name || isAuto info.name then
      declarations env out buffer module rest count
    else
      let line ← lineOf env module info
      let text := (← buffer.get) ++ line
      if text.utf8ByteSize > 60000 then do
        out.putStr text
        buffer.set ""
      else buffer.set text
      declarations env out buffer module rest (count + 1)

partial def isOneOf (n : Name) : List String → Bool
  | [] => false
  | r :: rs => if nameText n == r then true else isOneOf n rs

/-- Which part of the library is written: modules number `shard`, `shard + shards`, … -/
structure Part where
  roots : List String
  shard : Nat
  shards : Nat

partial def modules (env : Environment) (out : IO.FS.Handle) (buffer : IO.Ref String)
    (part : Part) (index : Nat) : List Name → List ModuleData → Nat → IO Nat
  | n :: ns, m :: ms, count => do
    let wanted := index % part.shards == part.shard && isOneOf n.getRoot part.roots
    let count ← if wanted
      then declarations env out buffer n m.constants.toList count else pure count
    modules env out buffer part (index + 1) ns ms count
  | _, _, count => pure count

unsafe def importing (module : String) : IO Environment := do
  let source := "import " ++ module ++ "\n"
  let input : Parser.InputContext := {
    inputString := source, fileName := "<import>", fileMap := FileMap.ofString source,
    endPos := source.rawEndPos, endPos_valid := lcProof }
  let (header, _, messages) ← Parser.parseHeader input
  let (env, messages) ← Elab.processHeader header {} messages input 0
  if messages.hasErrors then throw (IO.userError ("cannot import " ++ module))
  return env

end Export

public unsafe def main (args : List String) : IO UInt32 := do
  let out ← IO.FS.Handle.mk "/channel/answers" .write
  enableInitializersExecution
  match args with
  | module :: shard :: shards :: roots =>
    let part := { roots, shard := shard.toNat?.getD 0, shards := shards.toNat?.getD 1 }
    let env ← Export.importing module
    let buffer ← IO.mkRef ""
    let count ← Export.modules env out buffer part 0 env.header.moduleNames.toList
      env.header.moduleData.toList 0
    out.putStr (← buffer.get)
    out.putStr ("{\"count\": " ++ toString count ++ "}\n")
    out.flush
    return 0
  | _ => throw (IO.userError "arguments: MODULE SHARD SHARDS ROOT ...")
