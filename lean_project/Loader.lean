module
public meta import Lean.Compiler.IR.CompilerM
public meta import Lean.Elab.Command

/-!
The loader: starts a program that was compiled before, without elaborating its source again.

`lean -o` writes a program's code (its intermediate representation) into an `.ir` file. This file
imports what the program imports (those lines are inserted below `module` when the program is
compiled) and puts the program's code into its own environment, as if it had been written here.
`lean --run` then finds `main` in it.

Style: see `Checker.lean`.
-/

open Lean

meta section
namespace Loader

@[noinline] def ap3 {α β γ δ} (f : α → β → γ → δ) (a : α) (b : β) (c : γ) : δ := f a b c

/-- What the extension of compiled declarations wrote into a module file. -/
partial def entriesOf : List (Name × Array EnvExtensionEntry) → Array EnvExtensionEntry
  | [] => #[]
  | (n, entries) :: rest => if n == IR.declMapExt.name then entries else entriesOf rest

unsafe def asDeclsUnsafe (entries : Array EnvExtensionEntry) : List IR.Decl :=
  (unsafeCast entries : Array IR.Decl).toList

/-- Entries are stored without their type: those of this extension are declarations. -/
@[implemented_by asDeclsUnsafe]
opaque asDecls (entries : Array EnvExtensionEntry) : List IR.Decl

abbrev State := List IR.Decl × IR.DeclMap

partial def addAll (s : State) : List IR.Decl → State
  | [] => s
  | d :: ds => addAll (IR.declMapExt.addEntryFn s d) ds

def withDecls (env : Environment) (s : State) : Environment :=
  ap3 (@PersistentEnvExtension.setState IR.Decl IR.Decl State) IR.declMapExt env s

def load (env : Environment) : IO Environment := do
  let (data, _) ← readModuleData "/program/Program.ir"
  let decls := asDecls (entriesOf data.entries.toList)
  return withDecls env (addAll ([], PersistentHashMap.empty) decls)

end Loader

run_cmd do
  let env ← Loader.load (← getEnv)
  setEnv env
