module
public import Lean.Elab.Frontend
public import Lean.Data.Json

/-!
The checker: a Lean program that answers one JSON request at a time with the evidence a verdict
needs. Protocol: one JSON object and a blank line each way (the framing of the Lean REPL, so that
`lean-interact` drives it); every answer repeats the request's `nonce`.

Requests: `state`, `check`, `names`, `outline` (see the functions of these names at the end).

Style: only exported-level `.olean` files may be present, so the compiler cannot see the bodies of
imported functions. Hence the `@[noinline]` wrappers `ap*` around some of them, hand-written
recursion, and no `for`, `deriving` or polymorphic loops.
-/

open Lean Elab

namespace Checker

@[noinline] def ap {α β} (f : α → β) (a : α) : β := f a
@[noinline] def ap2 {α β γ} (f : α → β → γ) (a : α) (b : β) : γ := f a b

/-! ## Lists, sets and JSON by hand -/

partial def mapIO {α β : Type} (f : α → IO β) : List α → IO (List β)
  | [] => pure []
  | x :: xs => do let y ← f x; let ys ← mapIO f xs; pure (y :: ys)

partial def mapL {α β : Type} (f : α → β) : List α → List β
  | [] => []
  | x :: xs => f x :: mapL f xs

partial def revOnto {α : Type} : List α → List α → List α
  | [], ys => ys
  | x :: xs, ys => revOnto xs (x :: ys)

partial def append {α : Type} : List α → List α → List α
  | [], ys => ys
  | x :: xs, ys => x :: append xs ys

partial def len {α : Type} : List α → Nat
  | [] => 0
  | _ :: xs => len xs + 1

def isNil {α : Type} : List α → Bool
  | [] => true
  | _ :: _ => false

partial def isMember (n : Name) : List Name → Bool
  | [] => false
  | m :: ms => if n == m then true else isMember n ms

/-- Hash set of names (fixed buckets: the sets here hold tens to thousands of names). -/
structure Names where
  buckets : Array (List Name)

def Names.empty : Names := ⟨Array.replicate 256 []⟩
def Names.slot (n : Name) : Nat := n.hash.toNat % 256
def Names.has (s : Names) (n : Name) : Bool := isMember n (s.buckets.getD (Names.slot n) [])
def Names.add (s : Names) (n : Name) : Names :=
  if s.has n then s else
  ⟨s.buckets.setIfInBounds (Names.slot n) (n :: s.buckets.getD (Names.slot n) [])⟩
partial def Names.addAll (s : Names) : List Name → Names
  | [] => s
  | n :: ns => Names.addAll (s.add n) ns

def none? {α : Type} : List α → Bool
  | [] => true
  | _ => false

def jn (n : Nat) : Json := Json.num ⟨n, 0⟩
def obj (l : List (String × Json)) : Json := ap Json.mkObj l
partial def pushAll (a : Array Json) : List Json → Array Json
  | [] => a
  | x :: xs => pushAll (a.push x) xs
def arr (l : List Json) : Json := Json.arr (pushAll #[] l)
def str (s : String) : Json := Json.str s
def nm (n : Name) : String := ap (fun (n : Name) => n.toString) n
def nameJ (n : Name) : Json := str (nm n)
def userName (n : Name) : String := nm (ap privateToUserName n)
def getStr (j : Json) (k : String) : String :=
  match Json.getObjVal? j k with | .ok (.str s) => s | _ => ""
def getBool (j : Json) (k : String) : Bool :=
  match Json.getObjVal? j k with | .ok (.bool b) => b | _ => false
def getNat (j : Json) (k : String) (dflt : Nat) : Nat :=
  match Json.getObjVal? j k with | .ok (.num n) => n.mantissa.toNat | _ => dflt
def getArr (j : Json) (k : String) : List Json :=
  match Json.getObjVal? j k with | .ok (.arr a) => a.toList | _ => []
def asStr : Json → String | .str s => s | _ => ""
def posJ (p : Position) : Json := obj [("line", jn p.line), ("column", jn p.column)]

partial def vecNode {α : Type} (n : PersistentArrayNode α) (acc : List α) : List α :=
  match n with
  | .leaf vs => revOnto vs.toList acc
  | .node cs => go cs.toList acc
where
  go (l : List (PersistentArrayNode α)) (acc : List α) : List α := match l with
  | [] => acc
  | c :: cs => go cs (vecNode c acc)
def vecList {α : Type} (a : PersistentArray α) : List α :=
  revOnto (vecNode (.leaf a.tail) (vecNode a.root [])) []

partial def mapNode {α β : Type} (n : PersistentHashMap.Node α β) (acc : List (α × β)) :
    List (α × β) :=
  match n with
  | .entries es => goEntries es.toList acc
  | .collision ks vs _ => goPairs ks.toList vs.toList acc
where
  goEntries (l : List (PersistentHashMap.Entry α β (PersistentHashMap.Node α β)))
      (acc : List (α × β)) : List (α × β) := match l with
  | [] => acc
  | .entry k v :: r => goEntries r ((k, v) :: acc)
  | .ref n :: r => goEntries r (mapNode n acc)
  | .null :: r => goEntries r acc
  goPairs (ks : List α) (vs : List β) (acc : List (α × β)) : List (α × β) := match ks, vs with
  | k :: ks, v :: vs => goPairs ks vs ((k, v) :: acc)
  | _, _ => acc

/-! ## Messages and the goals of `sorry` -/

def severity : MessageSeverity → String
  | .information => "info" | .warning => "warning" | .error => "error"

def messageJ (m : Message) : IO Json := do
  let s ← m.data.toString
  let e := match m.endPos with | some p => posJ p | none => Json.null
  return obj [("severity", str (severity m.severity)), ("pos", posJ m.pos), ("endPos", e),
    ("data", str s)]

partial def hasError : List Message → Bool
  | [] => false
  | m :: ms => match m.severity with | .error => true | _ => hasError ms

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

/-! ## What a candidate may be made of

An allow-list of commands, attributes and options, and a deny-list of term and tactic kinds that
run code at elaboration. It is applied to the parsed syntax before the command is elaborated. -/

def allowedCommands : List Name := [
  `Lean.Parser.Command.declaration, `Lean.Parser.Command.mutual, `Lean.Parser.Command.in,
  `Lean.Parser.Command.namespace, `Lean.Parser.Command.section, `Lean.Parser.Command.end,
  `Lean.Parser.Command.open, `Lean.Parser.Command.export, `Lean.Parser.Command.variable,
  `Lean.Parser.Command.universe, `Lean.Parser.Command.include, `Lean.Parser.Command.omit,
  `Lean.Parser.Command.set_option, `Lean.Parser.Command.attribute,
  `Lean.Parser.Command.notation, `Lean.Parser.Command.mixfix, `Lean.Parser.Command.deriving,
  `Lean.Parser.Command.moduleDoc, `Lean.Parser.Command.check, `Lean.Parser.Command.print,
  `Lean.Parser.Command.printAxioms, `Lean.Parser.Command.check_failure,
  `Lean.Parser.Command.grindPattern, `Lean.Parser.Command.grind_pattern,
  `Lean.Parser.Command.noncomputableSection, `Lean.Parser.Command.eoi,
  `lemma, `Mathlib.Tactic.Alias.alias, `Mathlib.Tactic.Alias.aliasLR,
  `Batteries.Tactic.Alias.alias, `Batteries.Tactic.Alias.aliasLR,
  `Lean.Elab.Command.irreducibleDef, `Mathlib.Tactic.scopedNS]

/-- Kinds forbidden wherever they occur. -/
def forbiddenKinds : List Name := [
  `Lean.Parser.Command.unsafe, `Lean.Parser.Command.partial, `Lean.Parser.Command.meta,
  `Lean.Parser.Command.opaque, `Lean.Parser.Command.computedFields,
  `Lean.Parser.Command.initialize, `Lean.Parser.Command.eval, `Lean.Parser.Command.evalBang,
  `Lean.Parser.Command.import, `Lean.Parser.Command.exit, `Lean.Parser.Command.elab,
  `Lean.Parser.Command.elab_rules, `Lean.Parser.Command.macro, `Lean.Parser.Command.macro_rules,
  `Lean.Parser.Command.syntax, `Lean.Parser.Command.syntaxCat, `Lean.Parser.Command.syntaxAbbrev,
  `Lean.Parser.Term.unsafe, `Lean.Parser.Term.includeStr, `Lean.includeStr,
  `Lean.Parser.Term.runElab, `Lean.Parser.Term.byElab, `Lean.byElab, `Lean.runElab,
  `Lean.runTermElab, `Lean.runTac, `Lean.Parser.Tactic.runTac, `Lean.Parser.Tactic.run_tac,
  `Lean.runCmd, `Lean.runMeta, `Lean.Parser.Command.runCmd, `Lean.Parser.Term.quotSeq,
  `Lean.Parser.Command.quot, `Lean.Parser.Term.dynamicQuot, `Lean.Parser.Tactic.quot,
  `Lean.Parser.Tactic.quotSeq, `Lean.Parser.Term.quot]

/-- Attribute syntax kinds other than plain names. -/
def allowedAttrKinds : List Name := [
  `Lean.Parser.Attr.simp, `Lean.Parser.Attr.instance, `Lean.Parser.Attr.default_instance,
  `Lean.Parser.Attr.grind, `Lean.Parser.Attr.ext, `Lean.Parser.Attr.recursor,
  `Lean.Parser.Attr.specialize, `Lean.Parser.Attr.norm_cast, `Lean.Parser.Attr.normCastLabel,
  `Lean.deprecated, `Lean.Elab.Tactic.Ext.extAttr, `Lean.Parser.Attr.wfParam,
  `Lean.Parser.Attr.extern_never, `Mathlib.Tactic.GCongr.gcongr, `attrSimps,
  `Lean.Attr.pushCast, `Mathlib.Attr.pushCast]

/-- Plain attribute names. -/
def allowedAttrs : List Name := [
  `simp, `reducible, `irreducible, `semireducible, `instance, `ext, `inline, `noinline,
  `always_inline, `macro_inline, `specialize, `match_pattern, `elab_as_elim, `coe, `refl, `symm,
  `trans, `congr, `norm_cast, `push_cast, `grind, `induction_eliminator, `cases_eliminator,
  `deprecated, `unbox, `nospecialize, `default_instance, `class, `simps, `aesop, `gcongr, `mono,
  `fun_prop, `positivity_safe, `elab_without_expected_type, `elab_simple, `local, `scoped,
  `to_additive, `inherit_doc, `bv_normalize, `expose, `no_expose, `implicit_reducible]

/-- Options a candidate may set, by first component or full name. -/
def allowedOptionRoots : List Name := [`pp, `linter, `backward, `grind]
def allowedOptions : List Name := [
  `autoImplicit, `relaxedAutoImplicit, `maxRecDepth, `synthInstance.maxSize, `smartUnfolding,
  `exponentiation.threshold, `simprocs, `maxHeartbeats, `synthInstance.maxHeartbeats,
  `tactic.simp.trace, `maxUniverseOffset, `structureDiamondWarning, `tactic.hygienic]

structure Rules where
  commands : Names
  kinds : Names
  attrKinds : Names
  attrs : Names
  options : Names
  /-- highest heartbeats an option may ask for; 0: any (headers) -/
  heartbeats : Nat

def Rules.make (heartbeats : Nat) : Rules where
  commands := Names.empty.addAll allowedCommands
  kinds := Names.empty.addAll forbiddenKinds
  attrKinds := Names.empty.addAll allowedAttrKinds
  attrs := Names.empty.addAll allowedAttrs
  options := Names.empty.addAll allowedOptions
  heartbeats := heartbeats

def finding (fm : FileMap) (what : String) (n : Name) (s : Syntax) : Json :=
  obj [("what", str what), ("name", nameJ n), ("pos", startOf fm s)]

partial def natOf : Syntax → Option Nat
  | .atom _ v => ap String.toNat? v
  | .node _ `num args => match args.toList with | [a] => natOf a | _ => none
  | _ => none

def optionBad (r : Rules) (name : Name) (value : Syntax) : Bool :=
  if name == `maxHeartbeats || name == `synthInstance.maxHeartbeats then
    if r.heartbeats == 0 then false else
    match natOf value with
    | some v => v == 0 || r.heartbeats < v
    | none => true
  else if name == `maxRecDepth || name == `exponentiation.threshold then
    match natOf value with | some v => 100000 < v | none => true
  else if r.options.has name then false
  else !isMember name.getRoot allowedOptionRoots

def isSetOption (k : Name) : Bool :=
  k == `Lean.Parser.Command.set_option || k == `Lean.Parser.Term.set_option ||
  k == `Lean.Parser.Tactic.set_option

partial def nestedCommandsBad (fm : FileMap) (r : Rules) (s : Syntax) (acc : List Json) :
    List Json :=
  let k := s.getKind
  if k == `Lean.Parser.Command.in then
    nestedCommandsBad fm r (s.getArg 2) (nestedCommandsBad fm r (s.getArg 0) acc)
  else if k == `null then acc
  else if r.commands.has k then acc
  else finding fm "command" k s :: acc

/-- Everything forbidden inside one parsed command (the scan goes through the whole tree). -/
partial def scan (fm : FileMap) (r : Rules) (s : Syntax) (acc : List Json) : List Json :=
  match s with
  | .node _ k args =>
    let acc := if r.kinds.has k then finding fm "syntax" k s :: acc else acc
    let acc := if isSetOption k then
        let n := (s.getArg 1).getId
        if optionBad r n (s.getArg 3) && optionBad r n (s.getArg 2) then
          finding fm "option" n s :: acc else acc
      else acc
    let acc := if k == `Lean.Parser.Term.attrInstance then
        let a := s.getArg 1
        let ak := a.getKind
        if ak == `Lean.Parser.Attr.simple then
          let n := (a.getArg 0).getId
          if r.attrs.has n then acc else finding fm "attribute" n s :: acc
        else if r.attrKinds.has ak then acc
        else finding fm "attribute" ak s :: acc
      else acc
    scanAll fm r args.toList acc
  | _ => acc
where
  scanAll (fm : FileMap) (r : Rules) (l : List Syntax) (acc : List Json) : List Json :=
  match l with
  | [] => acc
  | x :: xs => scanAll fm r xs (scan fm r x acc)

/-! ## Elaboration, command by command -/

def inputOf (src : String) : Parser.InputContext :=
  { inputString := src
    fileName := "<input>"
    fileMap := FileMap.ofString src
    endPos := src.rawEndPos
    endPos_valid := Nat.le_refl _ }

structure Run where
  st : Command.State
  /-- messages of parser and elaborator, in order -/
  messages : List Message := []
  forbidden : List Json := []
  /-- parsed commands, last first -/
  commands : List Syntax := []

def elabOne (ictx : Parser.InputContext) (pos : String.Pos.Raw) (stx : Syntax)
    (st : Command.State) : IO Command.State := do
  let ctx : Command.Context :=
    { fileName := ictx.fileName
      fileMap := ictx.fileMap
      cmdPos := pos
      snap? := none
      cancelTk? := none }
  let ref ← IO.mkRef st
  match (← EIO.toBaseIO (Command.elabCommandTopLevel stx ctx ref)) with
  | .ok _ => ref.get
  | .error e => do
    let s ← ref.get
    let m : Message :=
      { fileName := ictx.fileName
        pos := ictx.fileMap.toPosition pos
        data := ap Exception.toMessageData e }
    pure { s with messages := s.messages.add m }

partial def elabAll (ictx : Parser.InputContext) (rules : Rules) (ps : Parser.ModuleParserState)
    (run : Run) : IO Run := do
  let st := run.st
  match st.scopes with
  | [] => pure run
  | scope :: _ =>
    let pm : Parser.ParserModuleContext :=
      { env := st.env
        options := scope.opts
        currNamespace := scope.currNamespace
        openDecls := scope.openDecls }
    let (stx, ps', msgs) := Parser.parseCommand ictx pm ps {}
    let run := { run with messages := append run.messages (vecList msgs.unreported) }
    let bad := nestedCommandsBad ictx.fileMap rules stx (scan ictx.fileMap rules stx [])
    match bad with
    | _ :: _ => pure { run with forbidden := bad }
    | [] =>
      if stx.getKind == `Lean.Parser.Command.eoi then
        pure run
      else do
        let st ← elabOne ictx ps.pos stx { st with messages := {} }
        let messages := append run.messages (vecList st.messages.unreported)
        elabAll ictx rules ps'
          { run with st := st, messages := messages, commands := stx :: run.commands }

/-! ## Declarations: what is new, what it rests on, and the kernel's word on it -/

abbrev Decl := Name × ConstantInfo

partial def newDecls (old : Environment) : List Decl → List Decl
  | [] => []
  | (n, ci) :: r =>
    match @Environment.find? old n true with
    | some _ => newDecls old r
    | none => (n, ci) :: newDecls old r

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
their bodies, as axioms; the environment keeps the original kind.) -/
def importedAxiom (env : Environment) (n : Name) : Bool :=
  match @Environment.find? env n false with
  | some (.axiomInfo _) =>
    match getOriginalConstKind? env n with
    | some .axiom => true
    | some _ => false
    | none => true
  | some _ => false
  | none => true

partial def axiomsOf (env : Environment) : List Name → List Name
  | [] => []
  | n :: ns => if importedAxiom env n then n :: axiomsOf env ns else axiomsOf env ns
partial def newAxioms : List Decl → List Name
  | [] => []
  | (n, .axiomInfo _) :: r => n :: newAxioms r
  | _ :: r => newAxioms r

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

/-! ## The statement: its text, its type, and a view for provers that read terms -/

structure Header where
  text : String
  st : Command.State
  /-- environment after the imports, before the header's own commands -/
  imported : Environment
  /-- the kernel's word on the header's own declarations -/
  kernel : Replay
  ok : Bool
  answer : Json

structure Statement where
  header : String
  text : String
  ok : Bool
  /-- full name of the declaration, as in the environment -/
  name : Name := .anonymous
  decl : Option ConstantInfo := none
  /-- new constants inside its type (matchers, auxiliary lemmas) -/
  auxiliary : List Decl := []
  answer : List (String × Json) := []

structure Cx where
  env : Environment
  opts : Options
  ns : Name
  opens : List OpenDecl

def ppIn (cx : Cx) (lctx : LocalContext) (e : Expr) : IO String := do
  let inner := MessageData.withContext
    { env := cx.env, mctx := {}, lctx := lctx, opts := cx.opts } (MessageData.ofExpr e)
  (MessageData.withNamingContext { currNamespace := cx.ns, openDecls := cx.opens } inner).toString

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

partial def levelText : Level → String
  | .zero => "0"
  | .succ l => "S" ++ levelText l
  | .max a b => "(max " ++ levelText a ++ " " ++ levelText b ++ ")"
  | .imax a b => "(imax " ++ levelText a ++ " " ++ levelText b ++ ")"
  | .param n => nm n
  | .mvar _ => "?"
partial def levelsText : List Level → String
  | [] => ""
  | l :: ls => levelText l ++ " " ++ levelsText ls

/-- The term written out in full, for the statement's digest: names of bound variables left out. -/
partial def canon (e : Expr) (acc : String) : String :=
  match e with
  | .bvar i => acc ++ "#" ++ toString i
  | .sort l => acc ++ "(sort " ++ levelText l ++ ")"
  | .const n ls => acc ++ nm n ++ (match ls with | [] => "" | _ => "{" ++ levelsText ls ++ "}")
  | .app f a => canon a (canon f (acc ++ "(") ++ " ") ++ ")"
  | .lam _ t b _ => canon b (canon t (acc ++ "(fun ") ++ " ") ++ ")"
  | .forallE _ t b _ => canon b (canon t (acc ++ "(all ") ++ " ") ++ ")"
  | .letE _ t v b _ => canon b (canon v (canon t (acc ++ "(let ") ++ " ") ++ " ") ++ ")"
  | .lit (.natVal n) => acc ++ toString n
  | .lit (.strVal s) => acc ++ ap String.quote s
  | .mdata _ e => canon e acc
  | .proj s i e => canon e (acc ++ "(proj " ++ nm s ++ " " ++ toString i ++ " ") ++ ")"
  | .fvar _ => acc ++ "?f"
  | .mvar _ => acc ++ "?m"

def viewJ (cx : Cx) (ci : ConstantInfo) (value : Expr) : IO Json := do
  let (v, target) ← walk cx (lambdas value) {} ci.type
  let pp ← ppIn cx v.lctx target
  let qs ← quantifiers cx v.lctx v.next target []
  let tj ← tree cx v.lctx v.next target
  let used := usedIn ci.type
  return obj [("binders", arr (revOnto v.binders [])), ("target", str pp), ("head", headOf target),
    ("quantifiers", arr (revOnto qs [])), ("tree", tj),
    ("constants", arr (mapL nameJ used)),
    ("numerals", arr (mapL jn (revOnto (numerals ci.type []) [])))]

/-! ## Answers -/

structure Session where
  rules : Rules
  headers : List Header := []
  /-- environments by the text of their imports -/
  imports : List (String × Environment) := []
  statement : Option Statement := none

partial def firstN {α : Type} : Nat → List α → List α
  | 0, _ => []
  | _, [] => []
  | n + 1, x :: xs => x :: firstN n xs

partial def findHeader (text : String) : List Header → Option Header
  | [] => none
  | h :: hs => if h.text == text then some h else findHeader text hs

partial def findImports (text : String) : List (String × Environment) → Option Environment
  | [] => none
  | (t, env) :: r => if t == text then some env else findImports text r

/-- The environment of a header's imports, made once for each text of them. -/
def importsFor (ref : IO.Ref Session) (ictx : Parser.InputContext) :
    IO (Environment × Parser.ModuleParserState × List Message) := do
  let (stx, ps, ml) ← Parser.parseHeader ictx
  let key := String.Pos.Raw.extract ictx.inputString 0 ps.pos
  let s ← ref.get
  match findImports key s.imports with
  | some env => pure (env, ps, vecList ml.unreported)
  | none => do
    let (env, ml) ← Elab.processHeader stx {} ml ictx 0
    let env := env.setMainModule `Candidate
    let messages := vecList ml.unreported
    if !hasError messages then
      ref.set { s with imports := (key, env) :: firstN 2 s.imports }
    pure (env, ps, messages)

def makeHeader (ref : IO.Ref Session) (text : String) : IO Header := do
  let ictx := inputOf text
  let (env, ps, messages) ← importsFor ref ictx
  if hasError messages then
    let ms ← mapIO messageJ messages
    return { text := text, st := Command.mkState env {} {}, imported := env, ok := false,
             kernel := { env := env.toKernelEnv },
             answer := obj [("ok", .bool false), ("messages", arr ms), ("forbidden", arr [])] }
  let run ← elabAll ictx (Rules.make 0) ps { st := Command.mkState env {} {} }
  let ms := run.messages
  let ok := !hasError ms && isNil run.forbidden
  let mj ← mapIO messageJ ms
  let decls := declsSince env run.st.env
  let kernel := replayNew 0 (Table.of decls) { env := env.toKernelEnv } decls
  return { text := text, st := run.st, imported := env, ok := ok,
           kernel := compareMade kernel decls,
           answer := obj [("ok", .bool ok), ("messages", arr mj), ("forbidden", arr run.forbidden)] }

/-- The header's state, made once for each exact text; the four last used are kept. -/
def headerFor (ref : IO.Ref Session) (text : String) : IO Header := do
  let s ← ref.get
  match findHeader text s.headers with
  | some h => pure h
  | none => do
    let h ← makeHeader ref text
    let s ← ref.get
    ref.set { s with headers := h :: firstN 3 s.headers, statement := none }
    pure h

def setNat (o : Options) (n : Name) (v : Nat) : Options := KVMap.insert o n (.ofNat v)

/-- State for one elaboration: no messages, our own limits over anything the header set. -/
def freshState (h : Header) (heartbeats : Nat) (infos : Bool) : Command.State :=
  let scopes := match h.st.scopes with
    | sc :: r =>
      let o := setNat (setNat sc.opts `maxHeartbeats heartbeats) `maxErrors 1000000
      { sc with opts := o } :: r
    | [] => []
  { h.st with messages := {}, infoState := { enabled := infos }, scopes := scopes }

def cxOf (st : Command.State) : Cx :=
  match st.scopes with
  | sc :: _ => { env := st.env, opts := sc.opts, ns := sc.currNamespace, opens := sc.openDecls }
  | [] => { env := st.env, opts := {}, ns := .anonymous, opens := [] }

partial def theorems : List Decl → List Decl
  | [] => []
  | (n, ci) :: r =>
    match ci with
    | .thmInfo _ =>
      if (ap privateToUserName n).isInternal then theorems r else (n, ci) :: theorems r
    | _ => theorems r

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

partial def notImported (t : Table) : List Name → List Decl
  | [] => []
  | n :: ns => match t.get n with | some ci => (n, ci) :: notImported t ns | none => notImported t ns

/-- Elaborate the statement alone, in a branch of its own over the header. -/
def makeStatement (h : Header) (rules : Rules) (text : String) (heartbeats : Nat) :
    IO Statement := do
  let src := text ++ "\n  := sorry"
  let ictx := inputOf src
  let run ← elabAll ictx rules {} { st := freshState h heartbeats false }
  let ms := run.messages
  let mj ← mapIO messageJ ms
  let base := [("messages", arr mj), ("forbidden", arr run.forbidden)]
  let bad (why : String) : Statement :=
    { header := h.text, text := text, ok := false,
      answer := ("ok", .bool false) :: ("problem", str why) :: base }
  if !isNil run.forbidden then return bad "forbidden" else
  if hasError ms then return bad "error" else
  match run.commands with
  | [_] =>
    let decls := declsSince h.st.env run.st.env
    match theorems decls with
    | [(n, .thmInfo v)] => do
      let ci := ConstantInfo.thmInfo v
      let t := Table.of decls
      let cx := cxOf run.st
      let r := reach t {} (usedIn v.type)
      let pp ← ppIn cx {} v.type
      let view ← viewJ cx ci v.value
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

partial def sameAuxiliary (env : Kernel.Environment) : List Decl → Bool
  | [] => true
  | (n, ci) :: r =>
    match Kernel.Environment.find? env n with
    | some ci' => if sameDecl ci ci' then sameAuxiliary env r else false
    | none => false

partial def named (name : String) : List Decl → List Decl
  | [] => []
  | (n, ci) :: r => if userName n == name then (n, ci) :: named name r else named name r

def declJ (d : Decl) : Json := obj [("name", str (userName d.1)), ("kind", str (kindOf d.2)),
  ("safe", .bool (isSafe d.2))]

partial def within (allowed : List String) : List Name → Bool
  | [] => true
  | n :: ns => if has (nm n) allowed then within allowed ns else false
where
  has (s : String) : List String → Bool
    | [] => false
    | t :: ts => if s == t then true else has s ts

partial def plain : List Decl → Bool
  | [] => true
  | (_, ci) :: r =>
    match ci with
    | .axiomInfo _ => false
    | .opaqueInfo _ => false
    | _ => if isSafe ci then plain r else false

def typeEqual (st : Statement) (negated : Bool) (env : Kernel.Environment) (ci : ConstantInfo) :
    Bool :=
  match st.decl with
  | none => false
  | some want =>
    let type := if negated then Expr.app (.const ``Not []) want.type else want.type
    ci.levelParams == want.levelParams && ci.type == type && sameAuxiliary env st.auxiliary

structure Asked where
  name : String
  negated : Bool
  heartbeats : Nat
  allowed : List String

/-- All evidence about one candidate, and whether it is complete. -/
def evidence (h : Header) (st : Statement) (rules : Rules) (q : Asked) (src : String) :
    IO (List (String × Json) × Bool) := do
  let ictx := inputOf src
  let infos := findText "sorry" src
  let run ← elabAll ictx rules {} { st := freshState h q.heartbeats infos }
  let ms := run.messages
  let mj ← mapIO messageJ ms
  let hj ← holes.all ictx.fileMap none [] (vecList run.st.infoState.trees)
  let base := [("messages", arr mj), ("sorries", arr (revOnto hj [])),
    ("forbidden", arr run.forbidden)]
  if !isNil run.forbidden then return (base, false) else
  let decls := declsSince h.st.env run.st.env
  let table := Table.of decls
  let r := replayNew (USize.ofNat (q.heartbeats * 2000)) table
    { env := h.kernel.env, failed := h.kernel.failed } decls
  let r := compareMade r decls
  let found := named q.name decls
  let kernelOk := isNil r.failed
  let kernel := obj [("ok", .bool kernelOk), ("checked", jn r.checked), ("new", jn (len decls)),
    ("failed", arr r.failed), ("skipped", arr (mapL (fun n => str (userName n)) r.skipped))]
  let base := ("declared", jn (len found)) :: ("kernel", kernel) :: base
  match found with
  | [(n, ci)] =>
    let inKernel := Kernel.Environment.find? r.env n
    let same := match inKernel with
      | some ci' => typeEqual st q.negated r.env ci'
      | none => typeEqual st q.negated r.env ci
    let isThm := match inKernel with | some (.thmInfo _) => true | _ => false
    let walked := reach (Table.of (declsSince h.imported run.st.env)) {} [n]
    let old := axiomsOf run.st.env walked.imported
    let fresh := newAxioms walked.new
    let complete := isThm && same && kernelOk && !hasError ms && plain walked.new &&
      within q.allowed old
    return (("kind", str (kindOf ci)) :: ("in_kernel", .bool isThm) :: ("type_equal", .bool same) ::
      ("axioms", arr (mapL nameJ old)) ::
      ("new_axioms", arr (mapL (fun n => str (userName n)) fresh)) ::
      ("rests_on", arr (mapL declJ walked.new)) ::
      ("constants", arr (mapL nameJ walked.imported)) :: base, complete)
  | _ => return (base, false)
where
  findText (pat src : String) : Bool := 1 < len (src.splitOn pat)

partial def checkEach (h : Header) (st : Statement) (rules : Rules) (q : Asked) (stop : Bool)
    (acc : List Json) : List Json → IO (List Json)
  | [] => pure (revOnto acc [])
  | c :: cs => do
    let id := match Json.getObjVal? c "id" with | .ok v => v | _ => Json.null
    let t0 ← IO.monoMsNow
    let (ev, complete) ← evidence h st rules q (getStr c "source")
    let t1 ← IO.monoMsNow
    let j := obj (("id", id) :: ("status", str "checked") :: ("complete", .bool complete) ::
      ("ms", jn (t1 - t0)) :: ev)
    if complete && stop then pure (revOnto (j :: acc) (mapL skipped cs))
    else checkEach h st rules q stop (j :: acc) cs
where
  skipped (c : Json) : Json :=
    obj [("id", match Json.getObjVal? c "id" with | .ok v => v | _ => .null),
      ("status", str "skipped")]

/-- Heartbeats for a statement alone, whatever its candidates may use. -/
def statementHeartbeats : Nat := 200000

def opState (ref : IO.Ref Session) (j : Json) : IO (List (String × Json)) := do
  let h ← headerFor ref (getStr j "header")
  let st ← statementFor ref h (getStr j "statement") statementHeartbeats
  return ("header", h.answer) :: st.answer

def opCheck (ref : IO.Ref Session) (j : Json) : IO (List (String × Json)) := do
  let h ← headerFor ref (getStr j "header")
  let hb := getNat j "max_heartbeats" 200000
  let st ← statementFor ref h (getStr j "statement") statementHeartbeats
  let s ← ref.get
  let rules := { s.rules with heartbeats := hb }
  let allowed := mapL asStr (getArr j "allowed_axioms")
  let q : Asked := ⟨userName st.name, getBool j "negated", hb, allowed⟩
  let head := [("header", h.answer), ("statement_ok", .bool st.ok),
    ("statement_name", str (userName st.name)),
    ("canon", match findKey "canon" st.answer with | some c => c | none => .null)]
  if !st.ok then return ("statement", obj st.answer) :: head else
  let rs ← checkEach h st rules q (getBool j "stop_at_first") [] (getArr j "candidates")
  return ("results", arr rs) :: head
where
  findKey (k : String) : List (String × Json) → Option Json
    | [] => none
    | (a, v) :: r => if a == k then some v else findKey k r

def opNames (ref : IO.Ref Session) (j : Json) : IO (List (String × Json)) := do
  let h ← headerFor ref (getStr j "header")
  return [("header", h.answer), ("missing", arr (missing h.st.env (getArr j "names"))),
    ("missing_namespaces", arr (unknown h.st.env (getArr j "namespaces")))]
where
  unknown (env : Environment) : List Json → List Json
    | [] => []
    | j :: js =>
      if env.isNamespace (ap String.toName (asStr j)) then unknown env js else j :: unknown env js
  missing (env : Environment) : List Json → List Json
    | [] => []
    | j :: js =>
      match @Environment.find? env (ap String.toName (asStr j)) false with
      | some _ => missing env js
      | none => j :: missing env js

/-- Theorems of a text: their names, and where statement and proof are. -/
def opOutline (ref : IO.Ref Session) (j : Json) : IO (List (String × Json)) := do
  let h ← headerFor ref (getStr j "header")
  let s ← ref.get
  let src := getStr j "source"
  let hb := getNat j "max_heartbeats" 200000
  let ictx := inputOf src
  let run ← elabAll ictx { s.rules with heartbeats := hb } {} { st := freshState h hb false }
  let mj ← mapIO messageJ (run.messages)
  return [("header", h.answer), ("messages", arr mj), ("forbidden", arr run.forbidden),
    ("theorems", arr (outline ictx.fileMap src run.commands []))]
where
  outline (fm : FileMap) (src : String) : List Syntax → List Json → List Json
    | [], acc => acc
    | s :: r, acc =>
      match findNode `Lean.Parser.Command.theorem [s] with
      | some t =>
        let head := sourceOf src (t.getArg 0) ++ " " ++ sourceOf src (t.getArg 1) ++ " " ++
          sourceOf src (t.getArg 2)
        outline fm src r (obj [("name", str (sourceOf src (t.getArg 1))), ("statement", str head),
          ("pos", startOf fm s), ("proof", startOf fm (t.getArg 3)),
          ("endPos", stopOf fm s)] :: acc)
      | none => outline fm src r acc

def answer (ref : IO.Ref Session) (text : String) : IO Json := do
  match ap Json.parse text with
  | .error e => return obj [("error", str ("request is not JSON: " ++ e)), ("nonce", .null)]
  | .ok j =>
    let nonce := match Json.getObjVal? j "nonce" with | .ok v => v | _ => Json.null
    let op := getStr j "op"
    let body ← try
        if op == "state" then opState ref j
        else if op == "check" then opCheck ref j
        else if op == "outline" then opOutline ref j
        else if op == "names" then opNames ref j
        else pure [("error", str ("unknown op " ++ op))]
      catch e => pure [("error", str (toString e))]
    return obj (("nonce", nonce) :: body)

partial def request (h : IO.FS.Stream) (acc : String) : IO (Option String) := do
  let l ← h.getLine
  if l.isEmpty then return (if acc.isEmpty then none else some acc)
  if l == "\n" then (if acc.isEmpty then request h acc else return some acc)
  else request h (acc ++ l)

partial def serve (ref : IO.Ref Session) (input output : IO.FS.Stream) : IO Unit := do
  match (← request input "") with
  | none => return
  | some q =>
    let r ← answer ref q
    output.putStr (ap Json.compress r ++ "\n\n")
    output.flush
    serve ref input output

/-- The private channel of the embedded runner when there is one, else the standard streams. -/
def streams : IO (IO.FS.Stream × IO.FS.Stream) := do
  let i : System.FilePath := "/channel/requests"
  if ← i.pathExists then
    let input ← IO.FS.Handle.mk i .read
    let output ← IO.FS.Handle.mk "/channel/answers" .write
    return (IO.FS.Stream.ofHandle input, IO.FS.Stream.ofHandle output)
  else return (← IO.getStdin, ← IO.getStdout)

end Checker

public unsafe def main (_ : List String) : IO UInt32 := do
  enableInitializersExecution
  let ref ← IO.mkRef ({ rules := Checker.Rules.make 200000 } : Checker.Session)
  let (input, output) ← Checker.streams
  Checker.serve ref input output
  return 0
