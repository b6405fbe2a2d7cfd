-- `bv_decide` asks the compiler to believe a certificate, which is an axiom; its simplifier does not.
-- header: import Std.Tactic.BVDecide
-- statement: theorem halved (x : BitVec 8) : x &&& 0#8 = 0#8
-- expect: accepted
theorem halved (x : BitVec 8) : x &&& 0#8 = 0#8 := by bv_normalize
