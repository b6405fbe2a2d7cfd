-- `where` for instances, structures and several auxiliary definitions with proofs.
-- statement: theorem fast (n : Nat) : n * (n + 1) % 2 = 0
-- expect: accepted
structure Iso (α β : Type) where
  to : α → β
  from' : β → α
  left : ∀ a, from' (to a) = a
  right : ∀ b, to (from' b) = b

def flip' : Iso Bool Bool where
  to := not
  from' := not
  left a := by cases a <;> rfl
  right := right
where
  right : ∀ b : Bool, (!(!b)) = b
    | true => rfl
    | false => rfl

theorem fast (n : Nat) : n * (n + 1) % 2 = 0 := by
  have := step n
  simpa using this
where
  step : ∀ n : Nat, n * (n + 1) % 2 = 0
    | 0 => rfl
    | n + 1 => by
      have ih := step n
      have e : (n + 1) * (n + 1 + 1) = n * (n + 1) + 2 * (n + 1) := by
        simp [Nat.mul_add, Nat.add_mul]
        omega
      omega
