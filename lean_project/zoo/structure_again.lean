-- A structure of the header is declared again with an impossible field.
-- kind: redefined constant
-- header: structure S where
-- header:   a : Nat
-- statement: theorem every (s : S) : s.a = 0
-- expect: rejected statement_mismatch
namespace Mine
structure S where
  a : Nat
  impossible : False

theorem _root_.every (s : S) : s.a = 0 := s.impossible.elim
end Mine
