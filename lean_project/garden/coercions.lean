-- statement: theorem positive_add (a b : {n : Nat // 0 < n}) : 0 < (a : Nat) + b
-- expect: accepted
structure Even where
  half : Nat

instance : Coe Even Nat := ⟨fun e => 2 * e.half⟩
instance : CoeFun Even (fun _ => Nat → Nat) := ⟨fun e n => e.half + n⟩
instance : CoeSort Bool Prop := ⟨(· = true)⟩

theorem even_mod (e : Even) : (e : Nat) % 2 = 0 := by
  show 2 * e.half % 2 = 0
  omega

theorem applied : (⟨3⟩ : Even) 4 = 7 := rfl

theorem positive_add (a b : {n : Nat // 0 < n}) : 0 < (a : Nat) + b :=
  Nat.add_pos_left a.property b
