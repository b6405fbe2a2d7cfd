-- A protected theorem of a namespace, opened afterwards.
-- kind: in another namespace
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected statement_mismatch
namespace A
protected theorem two : 1 + 1 = 2 := rfl
end A
open A
