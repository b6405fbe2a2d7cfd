-- statement: theorem summed (a b c : Nat) : a + b + c = a + (b + c)
-- expect: accepted
open Nat in
theorem first (a b : Nat) (h : a < b) : a + 1 ≤ b := succ_le_of_lt h

open Nat in
set_option maxRecDepth 1000 in
/-- Two prefixes and a docstring. -/
theorem second (a : Nat) : a ≤ a + 1 := le_succ a

theorem third (a : Nat) : a ≤ a + 1 := open Nat in le_succ a

theorem fourth (a : Nat) : a ≤ a + 1 := by
  open Nat in exact le_succ a

open Nat (add_assoc) in
theorem summed (a b c : Nat) : a + b + c = a + (b + c) := add_assoc a b c
