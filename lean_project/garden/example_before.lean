-- Examples, checks and prints around the theorem; another theorem after it.
-- statement: theorem main_result (p q : Prop) : p ∧ q ↔ q ∧ p
-- expect: accepted
example : True := trivial
#check Nat.add_comm
#check (fun x => x + 1 : Nat → Nat)
#print Nat
example (p : Prop) : p → p := id
theorem main_result (p q : Prop) : p ∧ q ↔ q ∧ p := And.comm
example (p q : Prop) (h : p ∧ q) : q ∧ p := (main_result p q).mp h
theorem afterwards : 1 = 1 := rfl
