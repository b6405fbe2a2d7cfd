module
public import Lean.Data.Json
public import Checker.Lists

/-!
Reading and writing JSON, and names as text.
-/

public section
open Lean Elab
namespace Checker

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

end Checker
end
