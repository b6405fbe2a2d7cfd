-- A constant of the statement is defined anew in a namespace.
-- kind: redefined constant
-- statement: theorem small : Nat.le 5 3
-- expect: rejected statement_mismatch
namespace Nat
def Foo.le (_ _ : Nat) : Prop := True
end Nat
open Nat.Foo in
theorem small : Nat.Foo.le 5 3 := trivial
