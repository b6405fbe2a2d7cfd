module
public import Init.System.IO

/-! Attacks the machine that it runs on, in the way that its first argument names. -/

def say (out : IO.FS.Handle) (what : String) (act : IO String) : IO Unit := do
  let said ← try act catch e => pure ("refused: " ++ toString e)
  out.putStr (what ++ " | " ++ said ++ "\x1e")
  out.flush

def write (path : String) : IO String := do
  let h ← IO.FS.Handle.mk path .write
  h.putStr "x"
  h.flush
  return "written"

def read (path : String) : IO String := do
  let h ← IO.FS.Handle.mk path .read
  h.getLine

def remove (path : String) : IO String := do
  IO.FS.removeFile path
  return "removed"

@[noinline] def names (entries : Array IO.FS.DirEntry) (i : Nat) (said : String) : String :=
  if h : i < entries.size then names entries (i + 1) (said ++ " " ++ entries[i].fileName)
  else said
termination_by entries.size - i

def list (path : String) : IO String := do
  let entries ← System.FilePath.readDir path
  return names entries 0 "seen:"

def variable? (name : String) : IO String := do
  match ← IO.getEnv name with
  | some value => return "seen: " ++ value
  | none => return "unset"

def spawn (file : String) : IO String := do
  let child ← IO.Process.spawn { cmd := "/bin/sh", args := #["-c", "echo x >" ++ file] }
  let code ← child.wait
  return "spawned: " ++ toString code

def files (out : IO.FS.Handle) (host parent : String) : IO Unit := do
  say out "write here" (write "hostile.txt")
  say out "write temporary" (write ("/" ++ "tmp/hostile.txt"))
  say out "write shared memory" (write "/dev/shm/hostile.txt")
  say out "write host" (write (host ++ "/written.txt"))
  say out "write library" (write "/lean/lib/lean/Init.olean")
  say out "remove host" (remove (host ++ "/doomed.txt"))
  say out "read host" (read (host ++ "/secret.txt"))
  say out "read passwd" (read "/etc/passwd")
  say out "read own environment" (read "/proc/self/environ")
  say out "read parent's environment" (read ("/proc/" ++ parent ++ "/environ"))
  say out "read parent's memory" (read ("/proc/" ++ parent ++ "/mem"))
  say out "list host" (list host)
  say out "list root" (list "/")
  say out "list home" (list "/home")
  say out "variable HOME" (variable? "HOME")
  say out "variable SECRET" (variable? "SECRET")
  say out "spawn" (spawn (host ++ "/spawned.txt"))
  say out "second requests" (read "/channel/requests")
  say out "second answers" (write "/channel/answers")
  say out "end" (pure "reached")

partial def spin (n : Nat) : IO Nat := spin (n + 1)

partial def double (n : Nat) (text : String) : String :=
  if n == 0 then text else double (n - 1) (text ++ text)

partial def grow (kept : List String) (text : String) : IO Nat := do
  if text == "" then return 0
  IO.sleep 4 -- no faster than a watch can see
  grow (text :: kept) (text ++ "x")

partial def flood (out : IO.FS.Handle) (text : String) : IO Nat := do
  out.putStr text
  out.flush
  flood out text

partial def fork (n : Nat) : IO Nat := do
  let _ ← IO.asTask (spin n) .dedicated
  fork (n + 1)

partial def print (n : Nat) : IO Unit := do
  if n == 0 then return ()
  IO.println "{\"forged\": true}\n"
  IO.eprintln "{\"forged\": true}\n"
  print (n - 1)

partial def untilBlank (inp : IO.FS.Handle) : IO Unit := do
  let line ← inp.getLine
  if line == "\n" || line == "" then return () else untilBlank inp

def attack (out : IO.FS.Handle) (how : String) : IO Nat := do
  if how == "spin" then spin 0
  else if how == "grow" then grow [] (double 20 "x")
  else if how == "fork" then fork 0
  else flood out "{\"forged\": true}"

public def main (args : List String) : IO UInt32 := do
  let inp ← IO.FS.Handle.mk "/channel/requests" .read
  let out ← IO.FS.Handle.mk "/channel/answers" .write
  match args with
  | ["files", host, parent] => files out host parent
  | [how] =>
    untilBlank inp
    print 200
    (← IO.getStdout).flush
    out.putStr "{\"own\": true}\n\n"
    out.flush
    untilBlank inp
    let _ ← attack out how
  | _ => return 1
  return 0
