-- statement: theorem carried (p : Nat → Prop) (a b c : Nat) (h : a = b) (k : c = b) (hp : p a) : p c
-- expect: accepted
theorem subst_twice (p : Nat → Nat → Prop) (a b : Nat) (h : a = b) (hp : p a a) : p b b := h ▸ hp

theorem carried (p : Nat → Prop) (a b c : Nat) (h : a = b) (k : c = b) (hp : p a) : p c :=
  k ▸ h ▸ hp
