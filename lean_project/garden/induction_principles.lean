-- Strong induction, a custom eliminator, `induction … using`, generalized hypotheses.
-- statement: theorem every (n : Nat) : ∃ k, n ≤ 2 * k
-- expect: accepted
@[elab_as_elim] theorem two_steps {motive : Nat → Prop} (zero : motive 0) (one : motive 1)
    (more : ∀ n, motive n → motive (n + 2)) : ∀ n, motive n
  | 0 => zero
  | 1 => one
  | n + 2 => more n (two_steps zero one more n)

theorem halves (n : Nat) : n / 2 ≤ n := by
  induction n using two_steps with
  | zero => simp
  | one => simp
  | more n ih => omega

theorem strong (n : Nat) : n = 0 ∨ 0 < n := by
  induction n using Nat.strongRecOn with
  | _ n ih => exact n.eq_zero_or_pos

theorem every (n : Nat) : ∃ k, n ≤ 2 * k := by
  induction n with
  | zero => exact ⟨0, Nat.le_refl 0⟩
  | succ n ih =>
    obtain ⟨k, hk⟩ := ih
    exact ⟨k + 1, by omega⟩
