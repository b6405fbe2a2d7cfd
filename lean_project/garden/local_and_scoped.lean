-- Local notation, scoped notation, local instances, scoped attributes.
-- statement: theorem product (a b : Nat) : a * b = b * a
-- expect: accepted
namespace Hidden
scoped notation:65 a " ⋆ " b:66 => a * b
scoped infixl:70 " ⊛ " => Nat.mul
@[scoped simp] theorem mul_swap (a b : Nat) (h : a = b) : a ⋆ b = b ⋆ a := by rw [h]
end Hidden

section
open scoped Hidden
local notation "zwei" => (2 : Nat)
local postfix:max "!!" => fun n : Nat => n * n
local prefix:max "−" => Nat.pred
theorem inner : zwei ⋆ 3 = 6 := rfl
theorem squared : 3 !! = 9 := rfl
local instance : Inhabited Nat := ⟨zwei⟩
attribute [local simp] Nat.mul_comm
theorem flipped (a b : Nat) : a ⊛ b = Nat.mul b a := Nat.mul_comm a b
end

theorem product (a b : Nat) : a * b = b * a := Nat.mul_comm a b
