module
public import Lean.Data.FuzzyMatching
public import Checker.Messages

/-!
Names that Lean did not know, and which declarations they may stand for: those that would have the
name if a namespace were open, and those that Lean's own matcher of unfinished names (the one of its
editor) takes for it in the same namespace. No verdict rests on it.
-/

public section
open Lean Elab
namespace Checker

/-- A name that was looked up in vain, in two parts. -/
structure Sought where
  space : Name
  last : String

/-- What stands between two marks in a text. -/
def between (a b text : String) : String :=
  match text.splitOn a with
  | _ :: r :: _ => match r.splitOn b with | x :: _ => x | [] => ""
  | _ => ""

def soughtIn (kind text : String) : Option Sought :=
  let name := if kind == "lean.unknownIdentifier" then between "`" "`" text
    else if kind == "lean.invalidField" then between "does not contain `" "`" text
    else ""
  match ap String.toName name with
  | .str p s => some ⟨p, s⟩
  | _ => none

structure Offer where
  name : Name
  weight : Nat

/-- The names of a library, by their last parts and by the namespaces that they are in. -/
structure Index where
  last : Array (List Name)
  space : Array (List Name)

def indexSize : Nat := 16384
def put (t : Array (List Name)) (h : UInt64) (n : Name) : Array (List Name) :=
  let i := h.toNat % indexSize
  let old := t.getD i []
  (t.setIfInBounds i []).setIfInBounds i (n :: old)

partial def Index.module (x : Index) (names : Array Name) (i : Nat) : Index :=
  if names.size <= i then x else
  match names.getD i .anonymous with
  | .str p t =>
    let n := Name.str p t
    Index.module ⟨put x.last t.hash n, put x.space p.hash n⟩ names (i + 1)
  | _ => Index.module x names (i + 1)

partial def Index.modules (x : Index) : List ModuleData → Index
  | [] => x
  | m :: ms => Index.modules (Index.module x m.constNames 0) ms

def Index.of (env : Environment) : Index :=
  let empty : Array (List Name) := Array.replicate indexSize []
  Index.modules ⟨empty, empty⟩ env.header.moduleData.toList

def Index.withLast (x : Index) (s : String) : List Name := x.last.getD (s.hash.toNat % indexSize) []
def Index.inSpace (x : Index) (n : Name) : List Name := x.space.getD (n.hash.toNat % indexSize) []

/-- How well a declaration fits, in thousandths; 0: not at all. -/
def fits (s : Sought) (space : Name) (last : String) : Nat :=
  if last == s.last then
    if s.space.isAnonymous || Name.isSuffixOf s.space space then 2000 else 0
  else if space == s.space then
    match FuzzyMatching.fuzzyMatchScoreWithThreshold? s.last last 0.5 with
    | some x => (x * 1000.0).toUInt64.toNat
    | none => 0
  else 0

def before (a b : Offer) : Bool :=
  if a.weight == b.weight then
    let x := nm a.name
    let y := nm b.name
    if x.length == y.length then x < y else x.length < y.length
  else b.weight < a.weight

partial def insert (o : Offer) : List Offer → List Offer
  | [] => [o]
  | x :: xs => if before o x then o :: x :: xs else x :: insert o xs

def mostOffers : Nat := 5

partial def best (s : Sought) (acc : List Offer) : List Name → List Offer
  | [] => acc
  | n :: ns =>
    match n with
    | .str p t =>
      let w := fits s p t
      if w == 0 || n.isInternal || isPrivateName n then best s acc ns else
      best s (firstN mostOffers (insert ⟨n, w⟩ acc)) ns
    | _ => best s acc ns

/-- The declarations of the library that a name may stand for, the best first. -/
def offers (x : Thunk Index) (s : Sought) : List Json :=
  let index := x.get
  let found := best s [] (index.withLast s.last)
  let found := best s found (index.inSpace s.space)
  mapL (fun o => nameJ o.name) found

/-! ## Words of the text -/

def inWord (c : Char) : Bool := c.isAlphanum || c == '_' || c == '.' || c == '\'' || c == '?'

partial def wordStart (src : String) (p : String.Pos.Raw) : String.Pos.Raw :=
  if p.byteIdx == 0 then p else
  let q := String.Pos.Raw.prev src p
  if inWord (String.Pos.Raw.get src q) then wordStart src q else p

partial def wordEnd (src : String) (p : String.Pos.Raw) : String.Pos.Raw :=
  if src.utf8ByteSize <= p.byteIdx then p else
  if inWord (String.Pos.Raw.get src p) then wordEnd src (String.Pos.Raw.next src p) else p

/-- The word at which the parser stopped. -/
def wordAt (fm : FileMap) (pos : Position) : String :=
  let p := FileMap.ofPosition fm pos
  cut (String.Pos.Raw.extract fm.source (wordStart fm.source p) (wordEnd fm.source p)) 200

/-! ## Messages with what is known of such names -/

/-- Messages as JSON; the first `n` unknown names among them with what they may stand for. -/
partial def messagesJ (index : Thunk Index) (fm : FileMap) (n : Nat) (acc : List Json) :
    List Message → IO (List Json)
  | [] => pure (revOnto acc [])
  | m :: ms => do
    let text ← textOf m
    let kind := kindOfMessage m.data
    match (if n == 0 then none else soughtIn kind text) with
    | some s =>
      let more := [("candidates", arr (offers index s))]
      messagesJ index fm (n - 1) (messageObj m text more :: acc) ms
    | none =>
      let more := if kind == "parser" then [("token", str (wordAt fm m.pos))] else []
      messagesJ index fm n (messageObj m text more :: acc) ms

end Checker
end
