// Runs Lean with the embedded toolchain, one of:
//   node runner.js <toolchain folder> run <program.lean> [argument ...]
//   node runner.js <toolchain folder> load <loader.lean> <program.ir> [argument ...]
//   node runner.js <toolchain folder> compile <program.lean>
// `load` runs a program compiled before, by a loader that finds it as /program/Program.ir.
// `compile` writes the compiled program (its IR) to standard output.
//
// The program sees a file system in memory. From the host it sees the library folder, which
// it can only read, and its own source. It sees no environment variable and starts no
// process.
//
// It speaks with the host by /channel/requests (read: the host's standard input) and
// /channel/answers (write: the host's standard output). Each can be opened once, so a program
// that opens both before it runs code of others is the only one that can use them. Standard
// input is empty and standard output goes to standard error: nothing that Lean or such code
// prints can be taken for an answer.
'use strict'
const fs = require('fs')
const path = require('path')
const vm = require('vm')
const { Worker, setEnvironmentData } = require('worker_threads')
const { newTable, serve } = require('./library.js')

const [root, mode, program, ...rest] = process.argv.slice(2)
const compiled = mode === 'load' ? rest.shift() : undefined
const COMPILED = '/program/Program.ir'
const source = '/program/Program.lean'
const threads = process.env.LEAN_NUM_THREADS
process.argv = [process.argv[0], '/lean/bin/lean', ...(mode === 'compile'
  ? ['-o', '/program/Program.olean', source] : ['--run', source, ...rest])]
for (const name of Object.keys(process.env)) delete process.env[name]

// Lean asks how many processors there are; Node would read that from /proc, which a sandbox need
// not have.
const os = require('os')
os.cpus = () => new Array(os.availableParallelism()).fill({})

// Lean in an endless loop never notices that its input is closed, so an orphan is ended by a
// thread of its own.
new Worker(`
  const parent = process.ppid
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 500)
`, { eval: true, env: {} }).unref()

const EIO = 29, EROFS = 69, ENOENT = 44
const NOISE = /^\[DEBUG:|^  - \/lean\/lib\/|^  mainModule\? = /
const MOUNT = '/lean/lib/lean'
const input = { block: Buffer.alloc(0), at: 0 }
const channel = { requests: false, answers: false }

function pause() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2) }

function readBlock() {
  const block = Buffer.alloc(65536)
  for (;;) {
    try { return block.subarray(0, fs.readSync(0, block, 0, block.length, null)) } catch (error) {
      if (error.code === 'EOF') return block.subarray(0, 0)
      if (error.code !== 'EAGAIN') throw new FS.ErrnoError(EIO)
      pause()
    }
  }
}

function readInput(buffer, offset, length) {
  if (length <= 0) return 0
  if (input.at >= input.block.length) { input.block = readBlock(); input.at = 0 }
  const count = Math.min(length, input.block.length - input.at)
  buffer.set(input.block.subarray(input.at, input.at + count), offset)
  input.at += count
  return count
}

function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length;) {
    try { at += fs.writeSync(fd, bytes, at) } catch (error) {
      if (error.code !== 'EAGAIN') throw new FS.ErrnoError(EIO)
      pause()
    }
  }
}

function writeOutput(fd, buffer, offset, length) {
  // A copy: the memory of the module is shared between threads, which writeSync refuses.
  const bytes = Buffer.from(buffer.slice(offset, offset + length))
  if (fd === 2) writeErrors(bytes)
  else writeAll(fd, bytes)
  return length
}

// Whole lines only, without the diagnostics of the package's author.
let unfinished = ''
function writeErrors(bytes) {
  const lines = (unfinished + bytes.toString('latin1')).split('\n')
  unfinished = lines.pop()
  const kept = lines.filter(line => !NOISE.test(line))
  if (kept.length) writeAll(2, Buffer.from(kept.join('\n') + '\n', 'latin1'))
}

function connectStreams() {
  TTY.stream_ops.read = () => 0
  TTY.stream_ops.write = (stream, buffer, offset, length) =>
    writeOutput(2, buffer, offset, length)
  TTY.stream_ops.fsync = TTY.stream_ops.close = () => {}
}

function channelDevice(name, major, operations) {
  const device = FS.makedev(major, 0)
  FS.registerDevice(device, {
    open(stream) {
      if (channel[name]) throw new FS.ErrnoError(ENOENT)
      channel[name] = true
      stream.seekable = false
    },
    close() {}, fsync() {}, ...operations,
  })
  FS.mkdev('/channel/' + name, 0o666, device)
}

function connectChannel() {
  FS.mkdir('/channel')
  channelDevice('requests', 70, {
    read: (stream, buffer, offset, length) => readInput(buffer, offset, length),
  })
  channelDevice('answers', 71, {
    write: (stream, buffer, offset, length) => writeOutput(1, buffer, offset, length),
  })
}

function mountLibrary() {
  const refuse = () => { throw new FS.ErrnoError(EROFS) }
  for (const name of ['mknod', 'rename', 'unlink', 'rmdir', 'symlink', 'setattr'])
    NODEFS.node_ops[name] = refuse
  NODEFS.stream_ops.write = refuse
  NODEFS.stream_ops.msync = () => 0
  const open = NODEFS.stream_ops.open
  NODEFS.stream_ops.open = stream => {
    if (stream.flags & 0o3103) refuse() // write, read and write, create, truncate, append
    open(stream)
  }
  FS.mkdirTree(MOUNT)
  FS.mount(NODEFS, { root: library }, MOUNT)
}

function hideDescriptors() {
  // /proc/self/fd would name, and so reopen, what other code has open.
  const folder = FS.lookupPath('/proc/self/fd').node
  folder.node_ops = {
    ...folder.node_ops,
    lookup() { throw new FS.ErrnoError(ENOENT) },
    readdir: () => [],
  }
}

function prepare() {
  connectStreams()
  connectChannel()
  mountLibrary()
  hideDescriptors()
  FS.mkdirTree('/lean/bin')
  FS.writeFile('/lean/bin/lean', '') // Lean asks for the real path of its own executable.
  FS.mkdirTree('/program')
  FS.writeFile(source, fs.readFileSync(program))
  if (compiled) FS.writeFile(COMPILED, fs.readFileSync(compiled))
  FS.chdir('/program')
  for (const name of Object.keys(ENV)) delete ENV[name]
  ENV.LEAN_SYSROOT = '/lean'
  ENV.LEAN_PATH = MOUNT
  if (threads) ENV.LEAN_NUM_THREADS = threads
}

// The module gives its main thread a stack of 64 KiB with its own constants below it, and checks no
// bound. This one is larger than what Node's own stack allows, so too deep recursion ends in an
// error of Node and never in overwritten constants.
const STACK = 64 << 20
function enlargeStack() {
  const low = Module._malloc(STACK)
  if (!low) throw new Error('no memory for the stack')
  Module._emscripten_stack_set_limits(low + STACK, low)
  Module.__emscripten_stack_restore(low + STACK)
}

const script = path.join(root, 'lean.js')
const library = fs.realpathSync(path.join(root, 'lib'))
const files = newTable()
setEnvironmentData('lean', { script, root, library, files }) // for thread.js
globalThis.require = require
globalThis.__filename = script
globalThis.__dirname = root
globalThis.Module = {
  arguments: process.argv.slice(2),
  thisProgram: '/lean/bin/lean',
  mainScriptUrlOrBlob: path.join(__dirname, 'thread.js'),
  instantiateWasm(imports, done) {
    serve(library, files, imports.env)
    const module = new WebAssembly.Module(fs.readFileSync(path.join(root, 'lean.wasm')))
    done(new WebAssembly.Instance(module, imports), module)
  },
  locateFile: name => path.join(root, name),
  print: line => writeAll(2, Buffer.from(line + '\n')),
  printErr: line => writeAll(2, Buffer.from(line + '\n')),
  preRun: [prepare],
  onRuntimeInitialized: enlargeStack,
}
process.on('exit', code => {
  if (unfinished) writeErrors(Buffer.from('\n'))
  if (mode === 'compile' && code === 0) writeAll(1, Buffer.from(FS.readFile(COMPILED)))
})
vm.runInThisContext(fs.readFileSync(script, 'utf8'), { filename: script })
