-- A search over too many cases kills the process: silence is no verdict.
-- statement: theorem many : ∀ a b c : Fin 400, (a.val + b.val * c.val) % 7 < 7
-- expect: failure
theorem many : ∀ a b c : Fin 400, (a.val + b.val * c.val) % 7 < 7 := by decide +kernel
