-- A default by a tactic runs syntax that a definition computes: here an option that is forbidden.
-- kind: metaprograms
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
open Lean in
def made : Syntax :=
  .node .none `Lean.Parser.Tactic.tacticSeq #[.node .none `Lean.Parser.Tactic.tacticSeq1Indented
    #[.node .none `null #[.node .none `Lean.Parser.Tactic.set_option #[.atom .none "set_option",
      .ident .none "debug.skipKernelTC".toRawSubstring `debug.skipKernelTC [],
      .node .none `null #[], .atom .none "true", .atom .none "in",
      .node .none `Lean.Parser.Tactic.tacticSeq #[.node .none `Lean.Parser.Tactic.tacticSeq1Indented
        #[.node .none `null #[.node .none `Lean.Parser.Tactic.tacticTrivial
          #[.atom .none "trivial"]]]]]]]]

theorem lemma_with_default (h : autoParam True made) : 1 + 1 = 3 := by omega

theorem two_is_three : 1 + 1 = 3 := lemma_with_default
