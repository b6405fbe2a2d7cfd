-- A binder notation of one's own.
-- statement: theorem only_one : ∃ n : Nat, n + 1 = 1 ∧ ∀ m : Nat, m + 1 = 1 → m = n
-- expect: accepted
def ExistsUnique' (p : α → Prop) : Prop := ∃ x, p x ∧ ∀ y, p y → y = x

notation "∃₁ " x ", " p => ExistsUnique' (fun x => p)
notation "|" a "|" => Int.natAbs a

theorem unique_zero : ∃₁ n, n + 1 = 1 := ⟨0, rfl, fun _ h => Nat.succ.inj h⟩

theorem abs : |(-3 : Int)| = 3 := rfl

theorem only_one : ∃ n : Nat, n + 1 = 1 ∧ ∀ m : Nat, m + 1 = 1 → m = n := unique_zero
