-- statement: theorem found : 2 ≤ 3
-- expect: accepted
namespace Deep.Inside
theorem fact : 2 ≤ 3 := by decide
theorem other : 3 ≤ 4 := by decide
end Deep.Inside

export Deep.Inside (fact)

open Deep.Inside renaming other → another
open Deep.Inside hiding other

theorem used : 3 ≤ 4 := another

theorem found : 2 ≤ 3 := fact
