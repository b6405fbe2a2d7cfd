// One thread of Lean: `lean.js` again, with the library folder at hand (see library.js).
//
// A thread that traps (no stack or memory left, an assertion of Lean) ends the process: the
// main thread may be waiting for it, and would for ever.
'use strict'
const fs = require('fs')
const vm = require('vm')
const { getEnvironmentData } = require('worker_threads')
const { serve } = require('./library.js')

const { script, root, library, files } = getEnvironmentData('lean')

process.on('uncaughtException', error => {
  try { fs.writeSync(2, `a thread of Lean ended: ${error?.message ?? error}\n`) } catch {}
  process.kill(process.pid, 'SIGKILL')
})
globalThis.require = require
globalThis.__filename = script
globalThis.__dirname = root
globalThis.Module = {
  instantiateWasm(imports, done) {
    serve(library, files, imports.env)
    done(new WebAssembly.Instance(wasmModule, imports), wasmModule) // from the main thread
  },
}
vm.runInThisContext(fs.readFileSync(script, 'utf8'), { filename: script })
