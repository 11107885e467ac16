// The provider of the gateway's measurement, in a process of its own: the tests' checking server, which also keeps a hash of
// each body that it was sent and that it sent. Told by its parent: `{ faults }` for the next requests, `{ report: true }`.
import { createHash } from 'node:crypto'
import { ServerResponse } from 'node:http'
import { startModelServer } from '@cairn/core/testing'

const digests = []
const hashes = new WeakMap()
for (const name of ['write', 'end']) {
  const original = ServerResponse.prototype[name]
  ServerResponse.prototype[name] = function (chunk, ...rest) {
    let hash = hashes.get(this)
    if (hash === undefined) hashes.set(this, (hash = createHash('sha256')))
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) hash.update(chunk)
    if (name === 'end') digests.push(hash.digest('hex'))
    return original.call(this, chunk, ...rest)
  }
}

const WORDS = 'the tide turns at nine and every boat that waits behind the lock leaves the harbour ✓ '.split(' ')
/** Replies of many sizes. */
const makeReply = (_call, index) => ({
  blocks: [
    {
      type: 'text',
      text: Array.from({ length: 20 + ((index * 37) % 400) }, (_, at) => WORDS[(at * 7 + index) % 17]).join(' '),
    },
  ],
})

const server = await startModelServer({ wires: ['anthropic'], makeReply })
process.send({ url: server.url })
process.on('message', async ({ faults, report }) => {
  if (faults !== undefined) {
    server.script(...faults.map((fault) => ({ fault })))
    process.send({ scripted: faults.length })
  }
  if (report !== true) return
  await server.untilNoSockets()
  process.send({
    digests: digests.splice(0),
    received: server.requests.map(({ text }) => createHash('sha256').update(text).digest('hex')),
    ledger: server.ledger.map(({ tokens, isComplete }) => ({ tokens, isComplete })),
  })
})
process.on('disconnect', () => process.exit(0))
