"""Lean lemmas of our own that scripts put before the statement, and text that uses them."""

from collections.abc import Sequence

ALL_BELOW = """@[irreducible] noncomputable def check_below (n : Nat) (p : Nat → Bool) : Bool :=
  Nat.rec (motive := fun _ => Bool) true (fun k r => and (p k) r) n
theorem all_below {p : Nat → Bool} : ∀ {n}, check_below n p = true → ∀ x, x < n → p x = true := by
  intro n
  unfold check_below
  induction n with
  | zero => intro _ x hx; exact absurd hx (Nat.not_lt_zero x)
  | succ n ih =>
    intro h x hx
    have h' : (p n && Nat.rec (motive := fun _ => Bool) true
        (fun k r => and (p k) r) n) = true := h
    rw [Bool.and_eq_true] at h'
    rcases Nat.lt_succ_iff_lt_or_eq.1 hx with h1 | h1
    · exact ih h'.2 x h1
    · exact h1 ▸ h'.1"""
"""Evaluates a decidable predicate at every number below a bound, in the kernel.

It is several times cheaper than the library's instance for bounded quantifiers.
"""

POW_CYCLE = """theorem pow_cycle (b m p s : Nat) (h : b ^ (s + p) % m = b ^ s % m) (n : Nat) :
    b ^ (n + s) % m = b ^ (n % p + s) % m := by
  have step : ∀ q r, b ^ (p * q + r + s) % m = b ^ (r + s) % m := by
    intro q
    induction q with
    | zero => intro r; simp
    | succ q ih =>
      intro r
      have e : p * (q + 1) + r + s = p * q + (r + p) + s := by rw [Nat.mul_succ]; omega
      have f : r + p + s = r + (s + p) := by omega
      rw [e, ih, f, Nat.pow_add, Nat.mul_mod, h, ← Nat.mul_mod, ← Nat.pow_add]
  have k := step (n / p) (n % p)
  rwa [Nat.div_add_mod] at k"""
"""Powers modulo `m` repeat with period `p` from the exponent `s` on."""


def below(variable: str, bounds: Sequence[tuple[str, int]], proposition: str) -> str:
    """A `have` that checks a proposition for all values below the bounds in the kernel.

    Args:
        variable: name of the fact.
        bounds: names and exclusive upper bounds of natural variables.
        proposition: decidable statement about them.
    """
    binders = "".join(f"∀ {name}, {name} < {bound} → " for name, bound in bounds)
    check = f"decide ({proposition})"
    for name, bound in reversed(bounds):
        check = f"check_below {bound} (fun {name} => {check})"
    proof = f"{variable}_all"
    for name, _ in bounds:
        proof = f"(all_below {proof} {name} h{name})"
    arguments = " ".join(f"{name} h{name}" for name, _ in bounds)
    return (
        f"have {variable}_all : {check} = true := by decide +kernel\n"
        f"have {variable} : {binders}({proposition}) :=\n"
        f"  fun {arguments} => of_decide_eq_true {proof}"
    )


def divisors(value: int) -> list[int]:
    """Positive divisors, ascending."""
    return [d for d in range(1, value + 1) if value % d == 0]


def is_divisor(fact: str, value: int) -> str:
    """A `have` that enumerates the divisors of `value`."""
    cases = " ∨ ".join(f"k = {d}" for d in divisors(value))
    return below(fact, [("k", value + 1)], f"k ∣ {value} → ({cases})")
