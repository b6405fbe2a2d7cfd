-- statement: theorem cube_sum : 3 ^ 3 + 4 ^ 3 + 5 ^ 3 = 6 ^ 3
-- expect: accepted
local notation:max n "³" => n ^ 3
local infixl:65 " ⊞ " => fun (a b : Nat) => a + b

theorem helper : 3³ + 4³ + 5³ = 6³ := by decide

theorem cube_sum : 3 ^ 3 + 4 ^ 3 + 5 ^ 3 = 6 ^ 3 := helper
