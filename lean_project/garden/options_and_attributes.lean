-- statement: theorem tidy (n : Nat) : n + 0 + 0 = n
-- expect: accepted
section
set_option linter.unusedVariables false
set_option maxRecDepth 2000

@[simp] theorem drop_zero (n : Nat) : n + 0 = n := rfl

variable (α : Type)

/-- Not used. -/
def nothing (x : α) : α := x
end

set_option maxHeartbeats 15000 in
theorem tidy (n : Nat) : n + 0 + 0 = n := by simp only [drop_zero]
