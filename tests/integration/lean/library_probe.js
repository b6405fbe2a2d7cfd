// Tries to reach more than the library through library.js; says in JSON what came of it.
'use strict'
const [script, root, outside] = process.argv.slice(2)
const fs = require('fs')
const path = require('path')
const { newTable, serve } = require(script)

const memory = new WebAssembly.Memory({ initial: 2, maximum: 4, shared: true })
const bytes = () => new Uint8Array(memory.buffer)
globalThis.SYSCALLS = {
  writeStat(address, stat) { bytes()[address] = stat.isDirectory() ? 2 : 1; return 0 },
}
const OLD = ['__syscall_stat64', '__syscall_openat', '__syscall_fstat64', 'fd_read', 'fd_seek',
  'fd_close']
const imports = { memory, ...Object.fromEntries(OLD.map(name => [name, () => 'next'])) }
serve(root, newTable(), imports)
const { __syscall_stat64: stat, __syscall_openat: openat, fd_read, fd_seek, fd_close } = imports

function named(name) { bytes().set(Buffer.from(name + '\0'), 1024); return 1024 }
const open = (name, flags = 0o2100000) => openat(-100, named('/lean/lib/lean/' + name), flags, 0)

function read(fd, length) {
  const words = new Uint32Array(memory.buffer)
  words[0] = 4096
  words[1] = length
  const said = fd_read(fd, 0, 1, 8)
  return said === 0 ? Buffer.from(bytes().slice(4096, 4096 + words[2])).toString() : said
}

const out = {}
const fd = open('Some/File.olean')
out.read = [read(fd, 4), read(fd, 100), read(fd, 100)]
out.seek = [fd_seek(fd, 2n, 0, 16), read(fd, 3), fd_seek(fd, -1n, 2, 16), read(fd, 9)]
out.seekBefore = fd_seek(fd, -1n, 0, 16)
out.stat = ['Some', 'Some/File.olean', 'Some/File.olean.server', 'Lost/File.olean']
  .map(name => stat(named('/lean/lib/lean/' + name), 64))
out.missing = open('Some/Lost.olean')
out.closed = [fd_close(fd), read(fd, 4), fd_close(fd)]
out.folder = open('Some')
out.folderAsFile = open('Folder.olean')
out.link = open('Link.olean')
out.writing = [1, 2, 0o100, 0o1000, 0o2000].map(flags => open('Some/File.olean', flags))
out.names = ['../stamp.json', '../lib/Some/File.olean', './Some/File.olean', 'Some//File.olean',
  'Some/../../out.olean', 'Some/File.olean/../../../out.olean', '/etc/passwd', 'Söme.olean',
  'x'.repeat(2000) + '.olean', 'Some/File.txt', ''].map(name => open(name))
out.elsewhere = [outside, '/lean/lib/leanX/a.olean', '/lean/lib/lean', 'a.olean', '']
  .map(name => openat(-100, named(name), 0, 0))
const host = fs.openSync(path.join(outside))
out.madeUp = [host, 0, 1 << 24, (1 << 24) + 255, (1 << 24) + 256, -1, 2 ** 31 - 1, 1.5,
  (1 << 24) + 1 / 3].map(fd => read(fd, 4))
const many = Array.from({ length: 300 }, () => open('Some/File.olean'))
out.many = [many.filter(fd => fd >= 1 << 24).length, many[299]]
out.manyClosed = many.filter(fd => fd_close(fd) === 0).length
out.again = read(open('Some/File.olean'), 4)
process.stdout.write(JSON.stringify(out))
