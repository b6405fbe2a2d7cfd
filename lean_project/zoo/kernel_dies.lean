-- A search over too many cases ends in no answer: silence is no verdict.
-- kind: process: endless kernel
-- statement: theorem many : ∀ a b c : Fin 400, (a.val + b.val * c.val) % 7 < 7
-- expect: failure or inconclusive timeout
-- seconds: 5
theorem many : ∀ a b c : Fin 400, (a.val + b.val * c.val) % 7 < 7 := by decide +kernel
