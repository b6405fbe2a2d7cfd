-- An elaborator adds a false theorem past the kernel.
-- kind: environment tampering
-- header: import Lean
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
open Lean Elab
set_option debug.skipKernelTC true
elab "lie!" : term => do
  addDecl (.thmDecl { name := `lie, levelParams := [], type := mkConst ``False, value := mkConst ``True.intro })
  return mkConst `lie

theorem two_is_three : 1 + 1 = 3 := lie!.elim
