// A process that appends messages to a session of its own, one after the other, as an agent does, and prints how many were
// acknowledged. Address, name of the session and seconds are its arguments; it begins when a line comes.
import { once } from 'node:events'
import { openStore } from '@cairn/storage-prisma'

const [address, name, seconds] = process.argv.slice(2)
const store = await openStore(address)
const session = { id: `cairn:${name}`, agent: 'cairn', externalId: name, workspace: `/work/${name}` }
let count = 0

/** A prompt, or a reply with what it cost. */
const write = (at) => {
  const isReply = count % 2 === 1
  const id = `m${count}`
  const text = `${name} ${count}: ${'words of a message that nobody has said before '.repeat(1 + (count % 9))}`
  const entry = { kind: 'message', id, at, role: isReply ? 'assistant' : 'user', content: [{ type: 'text', text }] }
  const request = {
    callId: `${name}-${id}`,
    at,
    model: 'claude-sonnet-5',
    inputTokens: 900 + count,
    cacheReadTokens: 1_000 * (count % 50),
    cacheWrite5mTokens: 100 + count,
    cacheWrite1hTokens: 0,
    outputTokens: 40 + (count % 300),
    costNano: BigInt(1_000 * count),
    costState: 'computed',
  }
  return { entry, externalId: id, ...(isReply ? { request } : {}) }
}

// The first one opens what is opened late.
await store.sessions.append(session, count, [write(Date.now())])
count += 1
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const end = performance.now() + Number(seconds) * 1_000
const before = count
while (performance.now() < end) {
  const { ok } = await store.sessions.append(session, count, [write(Date.now())])
  if (!ok) throw new Error(`${name} was not appended to at ${count}`)
  count += 1
}
await store.close()
process.stdout.write(`${count - before}\n`)
process.exit(0)
