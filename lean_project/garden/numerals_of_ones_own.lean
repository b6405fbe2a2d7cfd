-- Numerals, addition and order for a type of one's own.
-- statement: theorem twelve : (3 : Nat) * 4 = 12
-- expect: accepted
structure Mod5 where
  value : Fin 5
  deriving DecidableEq

namespace Mod5
instance : OfNat Mod5 n := ⟨⟨Fin.ofNat 5 n⟩⟩
instance : Add Mod5 := ⟨fun a b => ⟨a.value + b.value⟩⟩
instance : Mul Mod5 := ⟨fun a b => ⟨a.value * b.value⟩⟩
instance : Neg Mod5 := ⟨fun a => ⟨-a.value⟩⟩
instance : LE Mod5 := ⟨fun a b => a.value ≤ b.value⟩
instance : HAdd Mod5 Nat Mod5 := ⟨fun a n => a + ⟨Fin.ofNat 5 n⟩⟩

theorem wraps : (3 : Mod5) + 4 = 2 := by decide
theorem negated : -(2 : Mod5) = 3 := by decide
theorem mixed : (3 : Mod5) + (4 : Nat) = 2 := by decide
end Mod5

theorem twelve : (3 : Nat) * 4 = 12 := rfl
