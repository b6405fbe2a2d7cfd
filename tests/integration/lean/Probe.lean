module
public import Init.System.IO

/-! Tries to reach the host in every way that a program can, and says what happened. -/

def say (out : IO.FS.Handle) (what : String) (act : IO String) : IO Unit := do
  let said ← try act catch e => pure ("refused: " ++ toString e)
  out.putStr (what ++ " | " ++ said ++ "\x1e")

def write (path : String) : IO String := do
  let h ← IO.FS.Handle.mk path .write
  h.putStr "x"
  h.flush
  return "written"

def read (path : String) : IO String := do
  let h ← IO.FS.Handle.mk path .read
  h.getLine

@[noinline] def nextLine (h : IO.FS.Handle) : IO String := do
  let line ← h.getLine
  return line ++ ""

@[noinline] def nextInput (_ : Unit) : IO String := do
  let input ← IO.getStdin
  let line ← input.getLine
  return line ++ ""

def remove (path : String) : IO String := do
  IO.FS.removeFile path
  return "removed"

def rename (a b : String) : IO String := do
  IO.FS.rename a b
  return "renamed"

def makeFolder (path : String) : IO String := do
  IO.FS.createDir path
  return "made"

def variable? (name : String) : IO String := do
  match ← IO.getEnv name with
  | some value => return "seen: " ++ value
  | none => return "unset"

/-- The same from another thread, which reads the library by itself. -/
@[noinline] def inThread (act : IO String) : IO String := do
  let task ← IO.asTask act .dedicated
  match ← IO.wait task with
  | .ok said => return said
  | .error e => throw e

def size (path : String) : IO String := do
  let h ← IO.FS.Handle.mk path .read
  let bytes ← h.read 5
  return toString bytes.size

public def main (args : List String) : IO UInt32 := do
  let inp ← IO.FS.Handle.mk "/channel/requests" .read
  let out ← IO.FS.Handle.mk "/channel/answers" .write
  let host := match args with | a :: _ => a | [] => "/"
  say out "request" (nextLine inp)
  say out "write library" (write "/lean/lib/lean/Init.olean")
  say out "new library file" (write "/lean/lib/lean/New.olean")
  say out "remove library" (remove "/lean/lib/lean/Init.olean")
  say out "rename library" (rename "/lean/lib/lean/Init.olean" "/lean/lib/lean/X.olean")
  say out "library folder" (makeFolder "/lean/lib/lean/new")
  say out "read host" (read (host ++ "/secret.txt"))
  say out "write host" (write (host ++ "/written.txt"))
  say out "variable HOME" (variable? "HOME")
  say out "variable PATH" (variable? "PATH")
  say out "variable SECRET" (variable? "SECRET")
  say out "second requests" (read "/channel/requests")
  say out "second answers" (write "/channel/answers")
  say out "descriptor" (read "/proc/self/fd/3")
  say out "standard input" (nextInput ())
  say out "thread read library" (inThread (size "/lean/lib/lean/Init.olean"))
  say out "thread write library" (inThread (write "/lean/lib/lean/Init.olean"))
  say out "thread new library file" (inThread (write "/lean/lib/lean/New.olean"))
  say out "thread remove library" (inThread (remove "/lean/lib/lean/Init.olean"))
  say out "thread rename library"
    (inThread (rename "/lean/lib/lean/Init.olean" "/lean/lib/lean/X.olean"))
  say out "thread library folder" (inThread (makeFolder "/lean/lib/lean/new"))
  say out "thread out of library" (inThread (size "/lean/lib/lean/../stamp.json"))
  say out "thread read host" (inThread (read (host ++ "/secret.txt")))
  say out "thread write host" (inThread (write (host ++ "/written.txt")))
  say out "thread variable HOME" (inThread (variable? "HOME"))
  say out "thread variable SECRET" (inThread (variable? "SECRET"))
  say out "thread second requests" (inThread (read "/channel/requests"))
  say out "thread second answers" (inThread (write "/channel/answers"))
  say out "thread descriptor" (inThread (read "/proc/self/fd/3"))
  IO.println "not an answer"
  (← IO.getStdout).flush
  say out "end" (pure "∀ ok")
  out.flush
  return 0
