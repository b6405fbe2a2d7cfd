-- Another `Nat`, in whose namespace the theorem is stated.
-- kind: redefined constant
-- statement: theorem two_is_three : (1 + 1 : Nat) = 3
-- expect: rejected statement_mismatch
namespace Foo
inductive Nat | only
instance : OfNat Nat n := ⟨.only⟩
instance : Add Nat := ⟨fun _ _ => .only⟩
theorem two_is_three : (1 + 1 : Nat) = 3 := rfl
end Foo

open Foo in
theorem two_is_three : (1 + 1 : Foo.Nat) = 3 := Foo.two_is_three
