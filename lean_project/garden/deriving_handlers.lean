-- statement: theorem colours : ∀ a b : Nat, a = b → b = a
-- expect: accepted
inductive Colour
  | red | green | mixed (share : Nat)
  deriving DecidableEq, Repr, Inhabited, BEq, Hashable, Ord

structure Point where
  x : Nat
  y : Nat := 0
  deriving DecidableEq, Repr

deriving instance Nonempty for Point

inductive Shape | dot (at_ : Point) | line (a b : Point)
deriving instance DecidableEq for Shape

theorem different : Colour.red ≠ .mixed 3 := by decide
theorem equal : Shape.dot { x := 1 } = .dot ⟨1, 0⟩ := by decide

theorem colours : ∀ a b : Nat, a = b → b = a := fun _ _ h => h.symm
