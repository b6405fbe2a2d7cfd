"""A small Lake project, and what a reader of its text must find."""

from pathlib import Path

LATTICE = """/-
Copyright: nobody.
-/
import Mini.Base

/-!
# Small lattices

What everybody needs.

* `Mini.Join.comm`: joins do not mind
  the order
* `Meet`, `Mini.meetAll`: about meets
-/

universe u
variable {α : Type u}

namespace Mini

open Function

/-- A type with **joins**. -/
@[ext]
class Join (α : Type u) where
  /-- The join. -/
  join : α → α → α
  join_comm : ∀ a b, join a b = join b a

section order

variable [Join α] {a b : α} (h : a = b)

/-! ### Laws of joins -/

/-- Joins commute. -- not a comment -/
@[to_additive (attr := simp) /-- Sums of joins. -/]
theorem Join.mul_comm : Join.join a b = Join.join b a := by
  exact Join.join_comm a b

lemma _root_.free_one (n : ℕ) : n = n := rfl

private theorem hidden : True := trivial

protected theorem Join.eq_of (k : a ≠ b) : False := k h

instance : Nonempty (Option α) where
  nonempty := none

/-- Two cases. -/
inductive Shade : Type
  | /-- Dark. -/ dark
  | light (n : Nat) : Shade

@[deprecated Join.mul_comm (since := "2025-01-02")]
theorem old_comm : Join.join a b = Join.join b a := Join.mul_comm

end order

@[deprecated (since := "2025-02-03")]
alias older_comm := Join.mul_comm

alias ⟨one_way, _⟩ := free_one

@[simps apply]
def swap (f : α → α → α) : α → α → α := fun a b => f b a

end Mini
"""

BASE = """theorem base_fact : "-- no comment /- here" = "" ∨ 'x' ≠ '"' := by
  simp
"""


def write(folder: Path) -> Path:
    """Write the project and return its folder."""
    inner = folder / "Mini"
    inner.mkdir(parents=True)
    (folder / "lakefile.toml").write_text(
        'name = "mini"\ndefaultTargets = ["Mini"]\n[[lean_lib]]\nname = "Mini"\n'
        '[[lean_lib]]\nname = "MiniTest"\n'
    )
    (folder / "lean-toolchain").write_text("leanprover/lean4:v4.30.0\n")
    (folder / "LICENSE").write_text("Apache License\nVersion 2.0\n")
    (folder / "Mini.lean").write_text("import Mini.Lattice\n")
    (inner / "Lattice.lean").write_text(LATTICE, encoding="utf-8")
    (inner / "Base.lean").write_text(BASE, encoding="utf-8")
    (folder / "MiniTest.lean").write_text("theorem not_read : True := trivial\n")
    packages = folder / ".lake" / "packages" / "other"
    packages.mkdir(parents=True)
    (packages / "Other.lean").write_text("theorem foreign : True := trivial\n")
    return folder
