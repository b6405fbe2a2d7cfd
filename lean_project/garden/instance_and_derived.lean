-- Own type with derived instances, own instances, and `decide` on them.
-- statement: theorem sum : (1, 2) = ((1, 2) : Nat × Nat)
-- expect: accepted
structure Point where
  x : Nat
  y : Nat
  deriving DecidableEq, Repr

instance : Add Point := ⟨fun a b => ⟨a.x + b.x, a.y + b.y⟩⟩
instance : OfNat Point n := ⟨⟨n, n⟩⟩

theorem added : (1 : Point) + 2 = 3 := by decide

section
variable (p : Point)
private theorem same : p = p := rfl
end

theorem sum : (1, 2) = ((1, 2) : Nat × Nat) := by
  have := added
  have := same ⟨1, 2⟩
  rfl
