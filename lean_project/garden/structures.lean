-- Structures that extend others, default fields, eta, updates, projections, classes of structures.
-- statement: theorem point_eta (p : Nat × Nat) : (p.1, p.2) = p
-- expect: accepted
structure Point (α : Type u) where
  x : α
  y : α
  deriving Repr

structure Coloured (α : Type u) extends Point α where
  colour : Nat := 7
  bright : Bool := colour > 3

structure Named where
  name : String := "none"

structure Both extends Coloured Nat, Named where
  proof : x + y = y + x := by omega

def origin : Both := { x := 0, y := 0 }
def moved : Both := { x := 3, y := origin.y, colour := 1 }
def renamed : Both := { moved with name := "b" }

theorem eta (p : Point α) : { x := p.x, y := p.y } = p := rfl
theorem default_colour : origin.colour = 7 ∧ origin.bright = true := ⟨rfl, rfl⟩
theorem moved_x : moved.x = 3 ∧ moved.toPoint.y = 0 := ⟨rfl, rfl⟩

theorem Point.ext' {p q : Point α} : p.x = q.x → p.y = q.y → p = q := by
  intro h k
  cases p
  cases q
  simp_all

theorem point_eta (p : Nat × Nat) : (p.1, p.2) = p := rfl
