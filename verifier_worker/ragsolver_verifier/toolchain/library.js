// The library folder, answered in the thread that asks.
//
// Emscripten hands every file operation of a thread to the main thread, which looks for such
// requests about once a millisecond while it waits: an import reads some 500 files, eight
// operations each. Here a thread reads the library by itself.
//
// Only files and folders below the library folder can be named, in plain letters, and files
// can only be opened for reading. Everything else is left to the operations that were there
// before. An open file is a slot of a table that all threads share, and only such slots can
// be read: no number that a program makes up reaches another file of the host.
'use strict'
const fs = require('fs')

const FOLDER = '/lean/lib/lean'
const NAME = /^\/lean\/lib\/lean(?:\/[A-Za-z0-9_]+)+(?:\.[a-z]+)*$/
const OPENED = /\.(?:olean|ir)(?:\.[a-z]+)?$/
const LONGEST = 1024 // bytes of a name
const SLOTS = 256, FIRST = 1 << 24 // far above Emscripten's own numbers
const HOST = 0, AT = 1, SIZE = 2, WORDS = 3 // of a slot: host's number + 1 or 0, position, size
const READ_ONLY = ~0o2100000 // all flags but O_LARGEFILE and O_CLOEXEC
const [EBADF, EINVAL, EIO, ENOENT] = [8, 28, 29, 44]
const CODES = { ENOENT, ENOTDIR: 54, EACCES: 2, ELOOP: 32 }

function errno(error) {
  if (!error.code) throw error
  return CODES[error.code] ?? EIO
}

exports.newTable = () => new SharedArrayBuffer(4 * WORDS * SLOTS)

/**
 * Put the library's own operations before those that WebAssembly would call.
 * @param {string} root the library folder of the host, without links in it
 * @param {SharedArrayBuffer} shared the table of open files
 * @param {object} imports functions by name, changed in place
 */
exports.serve = (root, shared, imports) => {
  const table = new Int32Array(shared)
  const memory = imports.memory

  function hostPath(address) {
    const bytes = new Uint8Array(memory.buffer, address)
    const length = bytes.subarray(0, LONGEST).indexOf(0)
    if (length <= FOLDER.length) return undefined
    const name = String.fromCharCode.apply(null, bytes.subarray(0, length))
    return NAME.test(name) ? root + name.slice(FOLDER.length) : undefined
  }

  function slotOf(fd) {
    const at = (fd - FIRST) * WORDS
    return at >= 0 && at < table.length && Atomics.load(table, at) > 0 ? at : undefined
  }

  function claim(host, size) {
    for (let at = 0; at < table.length; at += WORDS) {
      if (Atomics.compareExchange(table, at + HOST, 0, host + 1) !== 0) continue
      table[at + AT] = 0
      table[at + SIZE] = size
      return FIRST + at / WORDS
    }
    return undefined
  }

  function open(path) {
    const host = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
    const stat = fs.fstatSync(host)
    const fd = stat.isFile() && stat.size < 2 ** 31 ? claim(host, stat.size) : undefined
    if (fd === undefined) fs.closeSync(host)
    return fd
  }

  function read(at, address, length) {
    const into = new Uint8Array(memory.buffer, address, length)
    const count = fs.readSync(table[at + HOST] - 1, into, 0, length, table[at + AT])
    table[at + AT] += count
    return count
  }

  function stat(path, address) {
    const found = fs.statSync(path, { throwIfNoEntry: false })
    return found ? SYSCALLS.writeStat(address, found) : -ENOENT
  }

  const own = {
    __syscall_stat64(path, result) {
      const host = hostPath(path)
      return host && stat(host, result)
    },
    __syscall_openat(folder, path, flags) {
      if (flags & READ_ONLY) return undefined
      const host = hostPath(path)
      return host && OPENED.test(host) ? open(host) : undefined
    },
    __syscall_fstat64(fd, result) {
      const at = slotOf(fd)
      return at === undefined ? undefined
        : SYSCALLS.writeStat(result, fs.fstatSync(table[at + HOST] - 1))
    },
    fd_read(fd, vectors, count, result) {
      const at = slotOf(fd)
      if (at === undefined) return undefined
      const words = new Uint32Array(memory.buffer)
      let total = 0
      for (let k = vectors >>> 2; count-- > 0; k += 2) {
        const length = words[k + 1]
        const got = length && read(at, words[k], length)
        total += got
        if (got < length) break
      }
      words[result >>> 2] = total
      return 0
    },
    fd_seek(fd, offset, whence, result) {
      const at = slotOf(fd)
      if (at === undefined) return undefined
      const base = [0, table[at + AT], table[at + SIZE]][whence]
      const to = Number(offset) + base
      if (!(to >= 0 && to < 2 ** 31)) return EINVAL
      table[at + AT] = to
      new BigInt64Array(memory.buffer)[result >>> 3] = BigInt(to)
      return 0
    },
    fd_close(fd) {
      const at = slotOf(fd)
      if (at === undefined) return undefined
      const host = Atomics.exchange(table, at + HOST, 0)
      if (host === 0) return EBADF
      fs.closeSync(host - 1)
      return 0
    },
  }
  for (const name of Object.keys(own)) imports[name] = before(own[name], imports[name])
}

/** `first`, or `next` where that has no answer; errors of the host as numbers. */
function before(first, next) {
  if (typeof next !== 'function') throw new Error('lean.js lacks an operation on files')
  const sign = first.name.startsWith('fd_') ? 1 : -1
  const both = (...given) => {
    let answer
    try { answer = first(...given) } catch (error) { answer = sign * errno(error) }
    return answer === undefined ? next(...given) : answer
  }
  both.sig = next.sig
  return both
}
