"""A Lean library of a dozen files, as a test writes and changes it."""

from pathlib import Path

SUBJECTS = ("Apple", "Bridge", "Candle", "Dragon", "Engine", "Forest", "Garden", "Hammer",
            "Island", "Jungle", "Kettle")  # fmt: skip

_SUBJECT = """/-!
# The {lower}

* `Fable.{name}.weight_add`: what a {lower} weighs is the sum of its parts
-/

namespace Fable

/-- A {lower} of a fable. -/
structure {name} where
  /-- What the {lower} weighs. -/
  weight : Nat

namespace {name}

variable (a b : {name})

/-- Two {lower}s together. -/
def join : {name} := ⟨a.weight + b.weight⟩

/-- The weight of two {lower}s is the sum of their weights. -/
theorem weight_add : (a.join b).weight = a.weight + b.weight := rfl

@[deprecated weight_add (since := "2026-01-01")]
theorem weight_sum : (a.join b).weight = a.weight + b.weight := rfl

end {name}
end Fable
"""

_ORDER = """namespace Fable

variable {G : Type} [Mul G]

/-- Fabled products commute. -/
@[to_additive fabled_add_comm /-- Fabled sums commute. -/]
theorem fabled_mul_comm (a b : G) (h : ∀ x y : G, x * y = y * x) : a * b = b * a := h a b

end Fable
"""

SPARROW = """
namespace Fable

/-- Every sparrow sings at dawn. -/
theorem sparrow_sings_at_dawn (n : Nat) : n = n := rfl

end Fable
"""


def write(folder: Path) -> Path:
    """The library in a folder, as a Lake project `Fable`."""
    source = folder / "Fable"
    source.mkdir(parents=True)
    (folder / "lakefile.toml").write_text('name = "fable"\n[[lean_lib]]\nname = "Fable"\n')
    (folder / "lean-toolchain").write_text("leanprover/lean4:v4.30.0\n")
    for name in SUBJECTS:
        text = _SUBJECT.replace("{name}", name).replace("{lower}", name.lower())
        (source / f"{name}.lean").write_text(text, encoding="utf-8")
    (source / "Order.lean").write_text(_ORDER, encoding="utf-8")
    return folder


def change(folder: Path) -> None:
    """One file says something more."""
    with (folder / "Fable" / "Order.lean").open("a", encoding="utf-8") as file:
        file.write(SPARROW)
