-- An instance variable becomes an assumption about addition.
-- kind: statement: variable
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error or rejected statement_mismatch
variable [odd : Fact' (1 + 1 = 3)]
class Fact' (p : Prop) : Prop where out : p

theorem two_is_three : 1 + 1 = 3 := odd.out
