-- A definition of the matcher's type stands for the matcher inside the statement.
-- kind: environment tampering
-- statement: theorem branch (n : Nat) : (match n with | 0 => False | _ + 1 => True)
-- expect: rejected statement_mismatch
def second (motive : Nat → Sort u) (n : Nat) (zero : Unit → motive 0)
    (succ : (n : Nat) → motive n.succ) : motive n :=
  match n with
  | 0 => zero ()
  | n + 1 => succ n

theorem branch (n : Nat) :
    second (fun _ => Prop) n (fun _ => True) (fun _ => True) := by
  cases n <;> trivial
