-- An elaborator builds an ill-typed proof.
-- kind: metaprograms
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
open Lean Elab
elab "bad!" : term => return mkConst ``True.intro

theorem two_is_three : 1 + 1 = 3 := bad!
