// Attacks the machine that it runs on as a native program would, and says what succeeded.
//   node attack.js <folder of the host> <port> <process of the host>
'use strict'
const fs = require('fs')
const net = require('net')
const path = require('path')
const { spawnSync } = require('child_process')
const [host, port, other] = process.argv.slice(2)

const attacks = {
  'write host': () => fs.writeFileSync(`${host}/written.txt`, 'x'),
  'write temporary': () => fs.writeFileSync(path.join('/', 'tmp', `${other}-hostile.txt`), 'x'),
  'write root': () => fs.writeFileSync(`/hostile-${other}.txt`, 'x'),
  'write itself': () => fs.appendFileSync(__filename, '// changed\n'),
  'remove host': () => fs.unlinkSync(`${host}/doomed.txt`),
  'read host': () => fs.readFileSync(`${host}/secret.txt`),
  'read passwd': () => fs.readFileSync('/etc/passwd'),
  'list host': () => fs.readdirSync(host),
  'read environment of another': () => fs.readFileSync(`/proc/${other}/environ`),
  'signal another': () => process.kill(Number(other), 0),
  'read variable': () => { if (process.env.SECRET === undefined) throw new Error('unset') },
  'spawn': () => {
    const done = spawnSync('/bin/sh', ['-c', `echo x >${host}/spawned.txt`])
    if (done.error || done.status !== 0) throw done.error || new Error('failed')
  },
}

const done = []
for (const [name, attack] of Object.entries(attacks)) {
  try { attack(); done.push(name) } catch (error) { /* kept from it */ }
}

function connect(name, where) {
  return new Promise(resolve => {
    const socket = net.connect(where, () => { done.push(name); socket.end(resolve) })
    socket.on('error', resolve)
  })
}

connect('connect by network', { port: Number(port), host: '127.0.0.1' })
  .then(() => connect('connect by file', { path: `${host}/socket` }))
  .then(() => console.log(JSON.stringify(done)))
