// A machine that sends what it used to a team's store, as `cairn sync` does: a batch a second, paced. Address, name and
// requests a second are its arguments. It begins when a line comes, ends when its input does, and prints what it sent and
// how long it waited as JSON.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openStore } from '@cairn/storage-prisma'
import { randomNumbers } from './numbers.mjs'
import { AGENTS, BRANCHES, END, MODELS, MODES, PROVIDERS, WORKSPACES } from './shards-team.mjs'

const HOUR_MS = 3_600_000
/** Between two batches. */
const PACE_MS = 1_000
/** Sessions that go on at once, and after how many requests each is followed by another. */
const AT_ONCE = 3
const REQUESTS_PER_SESSION = 200

const [address = '', name = '', rate = ''] = process.argv.slice(2)
const random = randomNumbers(name.length * 1_000 + name.charCodeAt(name.length - 1))
const one = (values) => values[Math.floor(random() * values.length)]
const store = await openStore(address)
const startedAt = Date.now()
/** As if now were the end of the data. */
const now = () => END - HOUR_MS + (Date.now() - startedAt)
const sessions = []

/** The session that a request belongs to. */
function sessionOf(index) {
  const lane = index % AT_ONCE
  const known = sessions[lane]
  if (known !== undefined && known.count < REQUESTS_PER_SESSION) return known
  const agent = one(AGENTS)
  const externalId = `${name}-${lane}-${index}`
  const session = {
    id: `${agent}:${externalId}`,
    agent,
    externalId,
    workspace: `/work/${one(WORKSPACES)}`,
    branch: one(BRANCHES),
    startedAt: now(),
  }
  return (sessions[lane] = { session, model: one(MODELS), count: 0 })
}

/** A request that was just made. */
function requestOf(made) {
  const { session, model } = made
  const output = Math.floor(20 + random() ** 2 * 1_500)
  const read = Math.floor(15_000 + made.count * 600)
  const fresh = Math.floor(300 + random() ** 3 * 12_000)
  made.count += 1
  return {
    call: randomBytes(16).toString('hex'),
    sessionId: session.id,
    visibleCharacters: output * 2,
    fact: {
      callId: '',
      at: now(),
      model,
      provider: one(PROVIDERS),
      mode: one(MODES),
      branch: session.branch,
      workspace: session.workspace,
      inputTokens: Math.floor(random() * 40),
      cacheReadTokens: read,
      cacheWrite5mTokens: fresh,
      cacheWrite1hTokens: 0,
      outputTokens: output,
      costNano: BigInt(read) * 500n + BigInt(fresh) * 6_250n + BigInt(output) * 25_000n,
      costState: 'computed',
      outputRate: 25_000_000_000n,
    },
  }
}

let sent = 0
/** Sends a batch; returns how long that took, ms. */
async function send(count) {
  const requests = Array.from({ length: count }, (_, index) => requestOf(sessionOf(sent + index)))
  const ids = new Set(requests.map(({ sessionId }) => sessionId))
  const batch = {
    machine: { id: `machine-of-${name}`, name, person: name, personId: `person-${name}` },
    at: now(),
    sessions: sessions
      .filter(({ session }) => ids.has(session.id))
      .map(({ session }) => ({ ...session, updatedAt: now() })),
    requests,
  }
  const begun = performance.now()
  await store.sync.target.receive(batch)
  sent += count
  return performance.now() - begun
}

// The first one opens what is opened late.
await send(1)
process.stdout.write('ready\n')
let isOver = false
process.stdin.once('end', () => (isOver = true))
await new Promise((resolve) => process.stdin.once('data', resolve))
const begun = performance.now()
const before = sent
const waits = []
for (let batch = 0; !isOver; batch += 1) {
  const early = begun + batch * PACE_MS - performance.now()
  if (early > 0) await wait(early)
  waits.push({ at: Date.now(), ms: await send(Math.round((Number(rate) * PACE_MS) / 1_000)) })
}
const seconds = (performance.now() - begun) / 1_000
await store.close()
process.stdout.write(`${JSON.stringify({ sent: sent - before, seconds, waits })}\n`)
process.exit(0)
