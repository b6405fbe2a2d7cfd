-- statement: theorem every {α : Type u} (a b : α) (h : a = b) : b = a
-- expect: accepted
theorem every {α : Type u} (a b : α) (h : a = b) : b = a := h.symm
