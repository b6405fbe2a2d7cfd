-- Attributes that a library uses.
-- statement: theorem current (n : Nat) : 0 + n = n
-- expect: accepted
@[simp] theorem current' (n : Nat) : 0 + n = n := Nat.zero_add n

@[deprecated current' (since := "2026-01-01")] theorem old (n : Nat) : 0 + n = n := Nat.zero_add n

@[inline, specialize] def run (f : Nat → Nat) : Nat := f 0
@[match_pattern] def one := Nat.succ Nat.zero
@[always_inline] instance : Inhabited (Nat → Nat) := ⟨id⟩

theorem matched : (match 1 with | one => true | _ => false) = true := rfl

theorem current (n : Nat) : 0 + n = n := current' n
