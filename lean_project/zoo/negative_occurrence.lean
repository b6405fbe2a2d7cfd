-- A type that contains functions out of itself would give Russell's paradox.
-- kind: environment tampering
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
inductive Bad
  | mk (f : Bad → False)

theorem two_is_three : 1 + 1 = 3 :=
  have h : Bad → False := fun b => match b with | .mk f => f b
  (h (.mk h)).elim
