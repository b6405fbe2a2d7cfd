-- statement: theorem class_eq (a b : Nat) (h : a % 3 = b % 3) : (a + 3) % 3 = b % 3
-- expect: accepted
instance mod3 : Setoid Nat where
  r a b := a % 3 = b % 3
  iseqv := ⟨fun _ => rfl, fun h => h.symm, fun h k => h.trans k⟩

def Z3 : Type := Quotient mod3

namespace Z3
def mk (n : Nat) : Z3 := Quotient.mk mod3 n

def succ : Z3 → Z3 :=
  Quotient.lift (fun n => mk (n + 1)) fun a b (h : a % 3 = b % 3) =>
    Quotient.sound (show (a + 1) % 3 = (b + 1) % 3 by omega)

theorem three (z : Z3) : z.succ.succ.succ = z :=
  Quotient.inductionOn z fun n => Quotient.sound (show (n + 1 + 1 + 1) % 3 = n % 3 by omega)
end Z3

def parity : Quot (fun a b : Nat => a % 2 = b % 2) → Nat := Quot.lift (· % 2) fun _ _ h => h

theorem class_eq (a b : Nat) (h : a % 3 = b % 3) : (a + 3) % 3 = b % 3 := by
  have := Z3.three (Z3.mk a)
  omega
