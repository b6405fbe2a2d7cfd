module
public import Checker.Json

/-!
A statement's type written out in full, for the digest that identifies the statement.
-/

public section
open Lean Elab
namespace Checker

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

end Checker
end
