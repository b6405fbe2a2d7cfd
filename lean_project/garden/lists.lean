-- statement: theorem twice_reversed (l : List Nat) : l.reverse.reverse = l
-- expect: accepted
def rev {α : Type} : List α → List α
  | [] => []
  | x :: xs => rev xs ++ [x]

@[simp] theorem rev_append {α : Type} (a b : List α) : rev (a ++ b) = rev b ++ rev a := by
  induction a with
  | nil => simp [rev]
  | cons x xs ih => simp [rev, ih]

@[simp] theorem rev_rev {α : Type} : ∀ l : List α, rev (rev l) = l
  | [] => rfl
  | x :: xs => by simp [rev, rev_rev xs]

theorem rev_eq {α : Type} (l : List α) : rev l = l.reverse := by
  induction l with
  | nil => rfl
  | cons x xs ih => simp [rev, ih]

theorem twice_reversed (l : List Nat) : l.reverse.reverse = l := by
  rw [← rev_eq, ← rev_eq, rev_rev]
