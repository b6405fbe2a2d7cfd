-- Comments of every form; sorry, axiom and native_decide are words like others here.
-- statement: theorem plain : 2 + 2 = 4
-- expect: accepted
/-! # Module documentation: sorry, no axiom, `unsafe`, #exit, import Lean -/

/- a comment /- inside a comment: axiom bad : False -/ sorry -/
/-- Documentation that says sorry and `theorem plain : False`. -/
theorem helper : 1 + 1 = 2 := /- sorry -/ rfl -- sorry

def text := "theorem plain : 2 + 2 = 4 := sorry -- axiom /- "
def quoted := r#"a raw "string" with sorry and #eval"#

/-- Said again. sorry -/
theorem plain : 2 + 2 = 4 := by
  -- sorry
  have := helper -- axiom
  /- admit -/
  rfl
