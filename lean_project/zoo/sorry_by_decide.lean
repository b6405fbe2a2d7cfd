-- An unfinished proof of decidability is used by `decide`.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry or rejected elaboration_error
def lie : 1 + 1 = 3 := by
  have h : ∀ n : Nat, n + 1 = 3 := sorry
  exact h 1

theorem two_is_three : 1 + 1 = 3 := by exact lie
