module
public import Lean.Elab.Frontend

/-!
Lists, sets and persistent collections by hand: see *Style* in `Checker.lean`.
-/

public section
open Lean Elab
namespace Checker

@[noinline] def ap {α β} (f : α → β) (a : α) : β := f a
@[noinline] def ap2 {α β γ} (f : α → β → γ) (a : α) (b : β) : γ := f a b

/-! These loop: texts of thousands of declarations must not exhaust the stack. -/

partial def revOnto {α : Type} : List α → List α → List α
  | [], ys => ys
  | x :: xs, ys => revOnto xs (x :: ys)

partial def mapIO {α β : Type} (f : α → IO β) (l : List α) (acc : List β := []) : IO (List β) :=
  match l with
  | [] => pure (revOnto acc [])
  | x :: xs => do let y ← f x; mapIO f xs (y :: acc)

partial def mapL {α β : Type} (f : α → β) (l : List α) (acc : List β := []) : List β :=
  match l with
  | [] => revOnto acc []
  | x :: xs => mapL f xs (f x :: acc)

def append {α : Type} (xs ys : List α) : List α := revOnto (revOnto xs []) ys

partial def len {α : Type} (l : List α) (n : Nat := 0) : Nat :=
  match l with
  | [] => n
  | _ :: xs => len xs (n + 1)

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

partial def firstN {α : Type} : Nat → List α → List α
  | 0, _ => []
  | _, [] => []
  | n + 1, x :: xs => x :: firstN n xs

end Checker
end
