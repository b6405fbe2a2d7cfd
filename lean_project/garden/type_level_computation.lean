-- Large elimination, dependent functions, casts, heterogeneous equality.
-- statement: theorem cast_id (α : Type) (a : α) (h : α = α) : cast h a = a
-- expect: accepted
def Tuple (α : Type) : Nat → Type
  | 0 => Unit
  | n + 1 => α × Tuple α n

def Tuple.first : (n : Nat) → Tuple α (n + 1) → α
  | _, (a, _) => a

def pairs : Tuple Nat 2 := (1, 2, ())

theorem first_pairs : Tuple.first 1 pairs = 1 := rfl

theorem heq_cast (h : α = β) (a : α) : HEq (cast h a) a := cast_heq h a

theorem cast_id (α : Type) (a : α) (h : α = α) : cast h a = a := rfl
