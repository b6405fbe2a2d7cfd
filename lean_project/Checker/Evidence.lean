module
public import Checker.Infos
public import Checker.Statement
public import Checker.Unknown

/-!
The evidence about one candidate. Each part of it is one way in which a text that looks like a proof
may be none; `complete` is true only if all of them hold:

1. it uses only what the rules allow, and elaborates without an error (`Rules.lean`,
   `Elaborate.lean`);
2. exactly one declaration has the statement's name, and the kernel, asked again, accepts it as a
   theorem, with everything new (`Kernel.lean`);
3. in the kernel's environment its type equals the statement's, or its negation, and so do the
   auxiliary declarations inside that type, whatever their names (`typeEqual`, `sameTerm`);
4. what it rests on is safe, with no axiom of its own (`plain`);
5. the imported axioms that it rests on are allowed ones (`within`).
-/

public section
open Lean Elab
namespace Checker

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

/-- The same term up to the names of auxiliary declarations. Lean makes a matcher or the lemma of
an inner proof only once, so that the candidate's own lemmas may have given one of those inside the
statement its name. `old` holds the statement's; a definition must have the same value, a theorem
the same type. -/
partial def sameTerm (old : Table) (env : Kernel.Environment) : Expr → Expr → Bool
  | .mdata _ a, b => sameTerm old env a b
  | a, .mdata _ b => sameTerm old env a b
  | .const n us, .const m vs =>
    us == vs && match old.get n with
      | none => n == m
      | some ci => match ci, Kernel.Environment.find? env m with
        | .thmInfo a, some (.thmInfo b) =>
          a.levelParams == b.levelParams && sameTerm old env a.type b.type
        | .defnInfo a, some (.defnInfo b) =>
          a.levelParams == b.levelParams && sameTerm old env a.type b.type &&
          sameTerm old env a.value b.value
        | _, _ => false
  | .app f a, .app g b => sameTerm old env f g && sameTerm old env a b
  | .lam _ t a _, .lam _ u b _ => sameTerm old env t u && sameTerm old env a b
  | .forallE _ t a _, .forallE _ u b _ => sameTerm old env t u && sameTerm old env a b
  | .letE _ t v a _, .letE _ u w b _ =>
    sameTerm old env t u && sameTerm old env v w && sameTerm old env a b
  | .proj s i a, .proj t j b => s == t && i == j && sameTerm old env a b
  | a, b => a == b

def typeEqual (st : Statement) (negated : Bool) (env : Kernel.Environment) (ci : ConstantInfo) :
    Bool :=
  match st.decl with
  | none => false
  | some want =>
    let type := if negated then Expr.app (.const ``Not []) want.type else want.type
    ci.levelParams == want.levelParams &&
      ((ci.type == type && sameAuxiliary env st.auxiliary) ||
        sameTerm (Table.of st.auxiliary) env type ci.type)

structure Asked where
  name : String
  negated : Bool
  heartbeats : Nat
  allowed : List String

/-- Where the statement's own text lies in a candidate: what it names, the proof does not. -/
def signature (name : Name) : List Syntax → String.Pos.Raw × String.Pos.Raw
  | [] => (⟨0⟩, ⟨0⟩)
  | cmd :: r =>
    match findNode `Lean.Parser.Command.theorem [cmd] with
    | some t =>
      let id := ((t.getArg 1).getArg 0).getId
      if !Name.isSuffixOf id name then signature name r else
      match @Syntax.getPos? t false, @Syntax.getTailPos? (t.getArg 2) false with
      | some a, some b => (a, b)
      | _, _ => signature name r
    | none => signature name r

/-- What the elaborator noted, for readers of a verdict: the library's declarations that a proof
names, or the goals at which it fails. -/
def notes (h : Header) (st : Statement) (fm : FileMap) (run : Run) (complete : Bool) :
    IO (List (String × Json)) := do
  let trees := run.trees
  if complete then
    let (a, b) := signature (ap privateToUserName st.name) run.commands
    return [("named", arr (mapL nameJ (← namedIn h.imported a b trees)))]
  else
    return [("sorries", arr (← holesOf fm trees)),
      ("goals", arr (mapL str (← goalsOf fm trees 20 [] run.messages)))]

/-- Heartbeats for the kernel, in its own unit; a number that is too large for it is its largest,
for it would wrap around, and zero is no limit. -/
def kernelHeartbeats (n : Nat) : USize :=
  let most := 2 ^ 32 - 1
  USize.ofNat (if most < n * 2000 then most else n * 2000)

/-- What the kernel and the environment say of one elaborated candidate, and whether that is all
that there must be. -/
def established (h : Header) (st : Statement) (q : Asked) (run : Run) :
    List (String × Json) × Bool :=
  let decls := declsSince h.st.env run.st.env
  let table := Table.of decls
  let r := replayNew (kernelHeartbeats q.heartbeats) table
    { env := h.kernel.env, failed := h.kernel.failed } decls
  let r := compareMade r decls
  let found := named q.name decls
  let kernelOk := isNil r.failed
  let kernel := obj [("ok", .bool kernelOk), ("checked", jn r.checked), ("new", jn (len decls)),
    ("failed", arr r.failed), ("skipped", arr (mapL (fun n => str (userName n)) r.skipped))]
  let base := [("declared", jn (len found)), ("kernel", kernel)]
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
    let complete := isThm && same && kernelOk && !hasError run.messages && plain walked.new &&
      within q.allowed old
    (("kind", str (kindOf ci)) :: ("in_kernel", .bool isThm) :: ("type_equal", .bool same) ::
      ("axioms", arr (mapL nameJ old)) ::
      ("new_axioms", arr (mapL (fun n => str (userName n)) fresh)) ::
      ("rests_on", arr (mapL declJ walked.new)) ::
      ("constants", arr (mapL nameJ walked.imported)) :: base, complete)
  | _ => (base, false)

/-- All evidence about one candidate, and whether it is complete. -/
def evidence (h : Header) (st : Statement) (rules : Rules) (q : Asked) (src : String) :
    IO (List (String × Json) × Bool) := do
  let ictx := inputOf src
  let run ← elabAll ictx rules {} { st := freshState h q.heartbeats true }
  let mj ← messagesJ h.index ictx.fileMap 4 [] (told run.messages)
  let base := [("messages", arr mj), ("forbidden", arr run.forbidden)]
  if !isNil run.forbidden then return (base, false) else
  let (found, complete) := established h st q run
  let more ← notes h st ictx.fileMap run complete
  return (append more (append found base), complete)

end Checker
end
