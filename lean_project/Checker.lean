module
public import Checker.Serve

/-!
The checker: a Lean program that answers one JSON request at a time with the evidence a verdict
needs. Protocol: one JSON object and a blank line each way (the framing of the Lean REPL, so that
`lean-interact` drives it); every answer repeats the request's `nonce`.

Requests: `state`, `check`, `names`, `outline` (see the functions of these names in
`Checker/Serve.lean`).

What to trust is in five of the parts in `Checker/`, in this order: `Rules` (the allow-lists),
`Evaluation` (what would run code past them), `Kernel` (the second look at every new declaration), `Statement` (what is to be proved) and
`Evidence` (all that must hold). The embedded toolchain compiles the parts as one file, joined by
`toolchain/flatten.py`.

Style: only exported-level `.olean` files may be present, so the compiler cannot see the bodies of
imported functions. Hence the `@[noinline]` wrappers `ap*` around some of them, hand-written
recursion, and no `for`, `deriving` or polymorphic loops. A part holds `public section` to `end`,
with `open` and `namespace` inside it, so that nothing leaks into the next one.
-/

open Lean

public unsafe def main (args : List String) : IO UInt32 := do
  enableInitializersExecution
  Checker.findLibrary
  let ref ← IO.mkRef ({ rules := Checker.Rules.make 200000 } : Checker.Session)
  let (input, output) ← Checker.streams args
  Checker.serve ref input output
  return 0
