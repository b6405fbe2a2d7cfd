-- Lexicographic measures, `decreasing_by`, `partial_fixpoint`-free, induction over the function.
-- statement: theorem gcd_zero (n : Nat) : Nat.gcd n 0 = n
-- expect: accepted
def ackermann : Nat → Nat → Nat
  | 0, n => n + 1
  | m + 1, 0 => ackermann m 1
  | m + 1, n + 1 => ackermann m (ackermann (m + 1) n)
termination_by m n => (m, n)

theorem ackermann_pos (m n : Nat) : 0 < ackermann m n := by
  fun_induction ackermann m n with
  | case1 => omega
  | case2 _ ih => exact ih
  | case3 _ _ _ ih => exact ih

def euclid (a b : Nat) : Nat :=
  if h : b = 0 then a else euclid b (a % b)
termination_by b
decreasing_by exact Nat.mod_lt _ (Nat.pos_of_ne_zero h)

theorem euclid_zero (a : Nat) : euclid a 0 = a := by
  rw [euclid]
  simp

def count (p : Nat → Bool) (n : Nat) : Nat := go n 0
where
  go : Nat → Nat → Nat
    | 0, acc => acc
    | n + 1, acc => go n (if p n then acc + 1 else acc)

theorem gcd_zero (n : Nat) : Nat.gcd n 0 = n := by
  have := euclid_zero n
  simp
