module
public import Checker.Messages

/-!
What a candidate may be made of.

An allow-list of commands, attributes and options, and a deny-list of term and tactic kinds that
run code at elaboration. It is applied to the parsed syntax before the command is elaborated
(`Elaborate.lean`), so nothing that it forbids ever runs. No verdict rests on it alone: `Kernel.lean`
and `Evidence.lean` look at what came of the elaboration.
-/

public section
open Lean Elab
namespace Checker

/-! ## The lists -/

def allowedCommands : List Name := [
  `Lean.Parser.Command.declaration, `Lean.Parser.Command.mutual, `Lean.Parser.Command.in,
  `Lean.Parser.Command.namespace, `Lean.Parser.Command.section, `Lean.Parser.Command.end,
  `Lean.Parser.Command.open, `Lean.Parser.Command.export, `Lean.Parser.Command.variable,
  `Lean.Parser.Command.universe, `Lean.Parser.Command.include, `Lean.Parser.Command.omit,
  `Lean.Parser.Command.set_option, `Lean.Parser.Command.attribute,
  `Lean.Parser.Command.notation, `Lean.Parser.Command.mixfix, `Lean.Parser.Command.deriving,
  `Lean.Parser.Command.moduleDoc, `Lean.Parser.Command.check, `Lean.Parser.Command.print,
  `Lean.Parser.Command.printAxioms, `Lean.Parser.Command.check_failure,
  `Lean.Parser.Command.grindPattern, `Lean.Parser.Command.grind_pattern,
  `Lean.Parser.commandSeal__, `Lean.Parser.commandUnseal__, `Lean.Parser.Command.addDocString,
  `Lean.Parser.Command.synth, `Lean.Parser.Command.noncomputableSection, `Lean.Parser.Command.eoi,
  `lemma, `Mathlib.Tactic.Alias.alias, `Mathlib.Tactic.Alias.aliasLR,
  `Batteries.Tactic.Alias.alias, `Batteries.Tactic.Alias.aliasLR,
  `Lean.Elab.Command.irreducibleDef, `Mathlib.Tactic.scopedNS]

/-- Kinds forbidden wherever they occur. -/
def forbiddenKinds : List Name := [
  `Lean.Parser.Command.unsafe, `Lean.Parser.Command.partial, `Lean.Parser.Command.meta,
  `Lean.Parser.Command.opaque, `Lean.Parser.Command.computedFields,
  `Lean.Parser.Command.initialize, `Lean.Parser.Command.eval, `Lean.Parser.Command.evalBang,
  `Lean.Parser.Command.import, `Lean.Parser.Command.exit, `Lean.Parser.Command.elab,
  `Lean.Parser.Command.elab_rules, `Lean.Parser.Command.macro, `Lean.Parser.Command.macro_rules,
  `Lean.Parser.Command.syntax, `Lean.Parser.Command.syntaxCat, `Lean.Parser.Command.syntaxAbbrev,
  `Lean.Parser.Term.unsafe, `Lean.Parser.Term.includeStr, `Lean.includeStr,
  `Lean.Parser.Term.runElab, `Lean.Parser.Term.byElab, `Lean.byElab, `Lean.runElab,
  `Lean.runTermElab, `Lean.runTac, `Lean.Parser.Tactic.runTac, `Lean.Parser.Tactic.run_tac,
  `Lean.runCmd, `Lean.runMeta, `Lean.Parser.Command.runCmd, `Lean.Parser.Term.quotSeq,
  `Lean.Parser.Command.quot, `Lean.Parser.Term.dynamicQuot, `Lean.Parser.Tactic.quot,
  `Lean.Parser.Tactic.quotSeq, `Lean.Parser.Term.quot]

/-- Attribute syntax kinds other than plain names. -/
def allowedAttrKinds : List Name := [
  `Lean.Parser.Attr.simp, `Lean.Parser.Attr.instance, `Lean.Parser.Attr.default_instance,
  `Lean.Parser.Attr.grind, `Lean.Parser.Attr.ext, `Lean.Parser.Attr.recursor,
  `Lean.Parser.Attr.specialize, `Lean.Parser.Attr.norm_cast, `Lean.Parser.Attr.normCastLabel,
  `Lean.deprecated, `Lean.Elab.Tactic.Ext.extAttr, `Lean.Parser.Attr.wfParam,
  `Lean.Parser.Attr.extern_never, `Mathlib.Tactic.GCongr.gcongr, `attrSimps,
  `Lean.Attr.pushCast, `Mathlib.Attr.pushCast, `Lean.Attr.coe]

/-- Plain attribute names. -/
def allowedAttrs : List Name := [
  `simp, `reducible, `irreducible, `semireducible, `instance, `ext, `inline, `noinline,
  `always_inline, `macro_inline, `specialize, `match_pattern, `elab_as_elim, `coe, `refl, `symm,
  `trans, `congr, `norm_cast, `push_cast, `grind, `induction_eliminator, `cases_eliminator,
  `deprecated, `unbox, `nospecialize, `default_instance, `class, `simps, `aesop, `gcongr, `mono,
  `fun_prop, `positivity_safe, `elab_without_expected_type, `elab_simple, `local, `scoped,
  `to_additive, `inherit_doc, `bv_normalize, `expose, `no_expose, `implicit_reducible]

/-- Options a candidate may set, by first component or full name. -/
def allowedOptionRoots : List Name := [`pp, `linter, `backward, `grind]
def allowedOptions : List Name := [
  `autoImplicit, `relaxedAutoImplicit, `maxRecDepth, `synthInstance.maxSize, `smartUnfolding,
  `exponentiation.threshold, `simprocs, `maxHeartbeats, `synthInstance.maxHeartbeats,
  `tactic.simp.trace, `maxUniverseOffset, `structureDiamondWarning, `tactic.hygienic]

/-! ## The lists with the limits of one check -/

structure Rules where
  commands : Names
  kinds : Names
  attrKinds : Names
  attrs : Names
  options : Names
  /-- highest heartbeats an option may ask for; 0: any (headers) -/
  heartbeats : Nat

def Rules.make (heartbeats : Nat) : Rules where
  commands := Names.empty.addAll allowedCommands
  kinds := Names.empty.addAll forbiddenKinds
  attrKinds := Names.empty.addAll allowedAttrKinds
  attrs := Names.empty.addAll allowedAttrs
  options := Names.empty.addAll allowedOptions
  heartbeats := heartbeats

/-! ## How they are applied -/

def finding (fm : FileMap) (what : String) (n : Name) (s : Syntax) : Json :=
  obj [("what", str what), ("name", nameJ n), ("pos", startOf fm s)]

partial def natOf : Syntax → Option Nat
  | .atom _ v => ap String.toNat? v
  | .node _ `num args => match args.toList with | [a] => natOf a | _ => none
  | _ => none

def optionBad (r : Rules) (name : Name) (value : Syntax) : Bool :=
  if name == `maxHeartbeats || name == `synthInstance.maxHeartbeats then
    if r.heartbeats == 0 then false else
    match natOf value with
    | some v => v == 0 || r.heartbeats < v
    | none => true
  else if name == `maxRecDepth || name == `exponentiation.threshold then
    match natOf value with | some v => 100000 < v | none => true
  else if r.options.has name then false
  else !isMember name.getRoot allowedOptionRoots

def isSetOption (k : Name) : Bool :=
  k == `Lean.Parser.Command.set_option || k == `Lean.Parser.Term.set_option ||
  k == `Lean.Parser.Tactic.set_option

partial def nestedCommandsBad (fm : FileMap) (r : Rules) (s : Syntax) (acc : List Json) :
    List Json :=
  let k := s.getKind
  if k == `Lean.Parser.Command.in then
    nestedCommandsBad fm r (s.getArg 2) (nestedCommandsBad fm r (s.getArg 0) acc)
  else if k == `null then acc
  else if r.commands.has k then acc
  else finding fm "command" k s :: acc

/-- Everything forbidden inside one parsed command (the scan goes through the whole tree). -/
partial def scan (fm : FileMap) (r : Rules) (s : Syntax) (acc : List Json) : List Json :=
  match s with
  | .node _ k args =>
    let acc := if r.kinds.has k then finding fm "syntax" k s :: acc else acc
    let acc := if isSetOption k then
        let n := (s.getArg 1).getId
        if optionBad r n (s.getArg 3) && optionBad r n (s.getArg 2) then
          finding fm "option" n s :: acc else acc
      else acc
    let acc := if k == `Lean.Parser.Term.attrInstance then
        let a := s.getArg 1
        let ak := a.getKind
        if ak == `Lean.Parser.Attr.simple then
          let n := (a.getArg 0).getId
          if r.attrs.has n then acc else finding fm "attribute" n s :: acc
        else if r.attrKinds.has ak then acc
        else finding fm "attribute" ak s :: acc
      else acc
    scanAll fm r args.toList acc
  | _ => acc
where
  scanAll (fm : FileMap) (r : Rules) (l : List Syntax) (acc : List Json) : List Json :=
  match l with
  | [] => acc
  | x :: xs => scanAll fm r xs (scan fm r x acc)

end Checker
end
