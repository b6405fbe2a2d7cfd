-- One private, one public declaration of the asked name, only one of them right.
-- kind: twice
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected elaboration_error or rejected statement_mismatch
private theorem two : 1 + 1 = 2 := rfl
namespace A
theorem _root_.two : 1 = 1 := rfl
end A
