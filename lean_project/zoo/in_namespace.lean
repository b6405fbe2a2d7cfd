-- The theorem is declared under a longer name.
-- kind: in another namespace
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected statement_mismatch
namespace A
theorem two : 1 + 1 = 2 := rfl
end A
