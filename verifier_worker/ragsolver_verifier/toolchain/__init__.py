"""The embedded Lean toolchain: Lean 4 in WebAssembly, made from registry packages."""
