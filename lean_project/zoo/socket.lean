-- A socket of the standard library.
-- kind: process: network access
-- header: import Std.Internal.UV
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
#eval (do let _ ← Std.Internal.UV.TCP.Socket.new : IO Unit)

theorem two_is_three : 1 + 1 = 3 := by omega
