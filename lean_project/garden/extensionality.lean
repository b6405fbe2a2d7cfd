-- statement: theorem same (p q : Prop) (h : p ↔ q) : p = q
-- expect: accepted
theorem same (p q : Prop) (h : p ↔ q) : p = q := propext h
