-- statement: theorem bounded (a b : {n : Nat // n < 10}) : a.val + b.val < 19
-- expect: accepted
def Digit := {n : Nat // n < 10}

def Digit.next (d : Digit) : Digit := ⟨(d.val + 1) % 10, Nat.mod_lt _ (by decide)⟩

theorem Digit.ext {a b : Digit} (h : a.val = b.val) : a = b := Subtype.ext h

theorem bounded (a b : {n : Nat // n < 10}) : a.val + b.val < 19 := by
  have := a.property
  have := b.2
  omega
