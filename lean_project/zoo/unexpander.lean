-- What is printed is not what is there.
-- kind: hidden or forged messages
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
@[app_unexpander Eq] def shown : Lean.PrettyPrinter.Unexpander := fun _ => `(True)

theorem two_is_three : 1 + 1 = 3 := by omega
