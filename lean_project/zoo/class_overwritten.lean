-- A class with the name of one in the statement.
-- kind: redefined constant
-- statement: theorem added (α : Type) [Add α] (a b : α) : a + b = b + a
-- expect: rejected statement_mismatch
namespace Mine
class Add (α : Type) extends _root_.Add α where
  comm (a b : α) : add a b = add b a
end Mine

open Mine renaming Add → Plus in
theorem added (α : Type) [Plus α] (a b : α) : a + b = b + a := Plus.comm a b
