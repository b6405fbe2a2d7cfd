-- `match` with motives, proofs in patterns, overlapping cases, `nomatch`, `nofun`, literals.
-- statement: theorem classify (n : Nat) : n = 0 ∨ n = 1 ∨ 2 ≤ n
-- expect: accepted
def describe : Nat → Option Nat → Nat
  | 0, none => 0
  | 5, some _ => 1
  | n + 1, some m => if n = m then 2 else 3
  | _, _ => 4

theorem describe_five (m : Nat) : describe 5 (some m) = 1 := rfl

def pred' (n : Nat) (h : n ≠ 0) : Nat :=
  match n, h with
  | n + 1, _ => n

theorem absurd' (h : (0 : Nat) = 1) : False := nomatch h

theorem noCase : ¬ (true = false) := nofun

theorem classify (n : Nat) : n = 0 ∨ n = 1 ∨ 2 ≤ n :=
  match h : n with
  | 0 => .inl rfl
  | 1 => .inr (.inl rfl)
  | k + 2 => .inr (.inr (by have := h; omega))
