-- header: import Std
-- statement: theorem bits (x y : BitVec 8) : x + y = y + x
-- expect: accepted
theorem bits (x y : BitVec 8) : x + y = y + x := BitVec.add_comm x y
