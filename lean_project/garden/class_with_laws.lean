-- A class with laws, instances with priorities, and a lemma for every instance.
-- statement: theorem unit_unique : ∀ e : Int, (∀ x : Int, e + x = x) → e = 0
-- expect: accepted
class Monoid' (α : Type u) extends Mul α where
  one : α
  mul_one (a : α) : a * one = a
  one_mul (a : α) : one * a = a
  assoc (a b c : α) : a * b * c = a * (b * c) := by intros; rfl

structure Total where
  value : Int

instance (priority := low) sumMonoid : Monoid' Total where
  mul a b := ⟨a.value + b.value⟩
  one := ⟨0⟩
  mul_one a := by show Total.mk (a.value + 0) = a; simp
  one_mul a := by show Total.mk (0 + a.value) = a; simp
  assoc a b c := congrArg Total.mk (Int.add_assoc a.value b.value c.value)

theorem unique_of [Monoid' α] (e : α) (h : ∀ x : α, e * x = x) : e = Monoid'.one :=
  (Monoid'.mul_one e).symm.trans (h _)

theorem unit_unique : ∀ e : Int, (∀ x : Int, e + x = x) → e = 0 := fun e h =>
  congrArg Total.value (unique_of (Total.mk e) fun x => congrArg Total.mk (h x.value))
