-- Auto-bound variables in helpers, a statement with explicit ones.
-- statement: theorem mapped {α β : Type} (f : α → β) (l : List α) : (l.map f).length = l.length
-- expect: accepted
set_option autoImplicit true
theorem helper (f : α → β) (a : α) (l : List α) : ((a :: l).map f).length = l.length + 1 := by simp
set_option autoImplicit false

theorem mapped {α β : Type} (f : α → β) (l : List α) : (l.map f).length = l.length := by
  cases l with
  | nil => rfl
  | cons a l => rw [helper]; rfl
