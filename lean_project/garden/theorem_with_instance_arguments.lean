-- statement: theorem swapped {α : Type u} [Add α] [Std.Commutative (α := α) (· + ·)] (a b : α) : a + b = b + a
-- expect: accepted
theorem helper {α : Type u} (f : α → α → α) [inst : Std.Commutative f] (a b : α) : f a b = f b a :=
  inst.comm a b

theorem swapped {α : Type u} [Add α] [Std.Commutative (α := α) (· + ·)] (a b : α) : a + b = b + a :=
  helper (· + ·) a b
