-- The theorem inside a namespace of the statement's name, opened and closed several times.
-- statement: theorem Outer.Inner.fact (n : Nat) : n ≤ n + 1
-- expect: accepted
namespace Outer
section Helpers
variable {α : Type u} (a : α) [Inhabited α]
def chosen : α := default
theorem same : a = a := rfl
omit [Inhabited α] in
theorem again : a = a := rfl
end Helpers

namespace Inner
protected theorem helper (n : Nat) : n < n + 1 := Nat.lt_succ_self n
theorem fact (n : Nat) : n ≤ n + 1 := Nat.le_of_lt (Inner.helper n)
end Inner
end Outer

namespace Outer.Inner
theorem later : 3 ≤ 4 := fact 3
end Outer.Inner
