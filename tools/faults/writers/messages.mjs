// Messages with their requests, in a session of the process and in one that all processes share.
const SHARED = 'shared'
/** One message in so many is long enough for a block of its own. */
const LONG_EVERY = 5
const LONG_LINES = 400

const idOf = (process, lane, count) => `${process}.${lane}.${count}`

/** The message that a process writes as its nth in a lane. */
function writeOf(process, lane, count) {
  const id = idOf(process, lane, count)
  const text = count % LONG_EVERY === 4 ? `${id} ${`and on goes line ${count}\n`.repeat(LONG_LINES)}` : `said ${id}`
  const at = 1_700_000_000_000 + count * 1_000
  return {
    entry: { kind: 'message', id, at, role: 'assistant', content: [{ type: 'text', text }] },
    externalId: id,
    request: {
      callId: id,
      at,
      model: `model-${count % 3}`,
      inputTokens: 3 + (count % 70),
      cacheReadTokens: 1_000,
      cacheWrite5mTokens: 20,
      cacheWrite1hTokens: 0,
      outputTokens: 1 + (count % 1_000),
      costNano: BigInt(25_000 + count),
      costState: 'computed',
    },
    visibleCharacters: text.length,
  }
}

const sessionOf = (name) => ({ id: `cairn:${name}`, agent: 'cairn', externalId: name, workspace: `/work/${name}` })

/**
 * Appends messages to a session of its own and to one that all share; acknowledges each. @type
 * {import('./index.mjs').Writer['write']}
 */
async function write({ engine, process, acknowledge, isOver }) {
  const lane = async (name, session) => {
    let seq = (await engine.store.sessions.get(session.id))?.entries ?? 0
    for (let count = 0; !isOver();) {
      const result = await engine.sessions.append(session, seq, [writeOf(process, name, count)])
      if (!result.ok) {
        seq = result.error.actualSeq
        continue
      }
      await acknowledge({ session: session.id, seq, lane: name, count })
      seq = result.value.nextSeq
      count += 1
    }
  }
  await Promise.all([lane('own', sessionOf(`messages-${process}`)), lane('shared', sessionOf(SHARED))])
}

/** What is wrong with an entry that stands in a log, by its own id. */
function faultOf({ seq, ...entry }) {
  const [, process = '', lane = '', count = ''] = /^(.+)\.(own|shared)\.(\d+)$/.exec(entry.id ?? '') ?? []
  const written = writeOf(process, lane, Number(count)).entry
  const isSame = Object.entries(written).every(([key, value]) => JSON.stringify(entry[key]) === JSON.stringify(value))
  return isSame ? undefined : `the message ${entry.id ?? `at ${seq}`} is not as it was written`
}

/**
 * Returns a sentence for each message that is damaged, twice there, without its request, or acknowledged and gone.
 * @type {import('./index.mjs').Writer['check']}
 */
async function check({ engine, acknowledged }) {
  const faults = []
  const logs = new Map()
  for (const id of [
    sessionOf(SHARED).id,
    ...[...acknowledged.keys()].map((name) => sessionOf(`messages-${name}`).id),
  ]) {
    const log = await engine.store.sessions.read(id)
    logs.set(id, log)
    faults.push(...log.map(faultOf).filter((fault) => fault !== undefined))
    const ids = log.map((entry) => entry.id)
    if (new Set(ids).size !== ids.length) faults.push(`the session ${id} holds a message twice`)
    const requests = await engine.store.usage.requests(id)
    if (requests.length !== log.length)
      faults.push(`the session ${id} has ${log.length} messages and ${requests.length} requests`)
  }
  let told = 0
  for (const [process, records] of acknowledged) {
    told += records.length
    for (const { session, seq, lane, count } of records) {
      if (logs.get(session)?.[seq]?.id !== idOf(process, lane, count))
        faults.push(
          `the message ${idOf(process, lane, count)} of ${session} was acknowledged at ${seq} and is not there`,
        )
    }
  }
  const stored = [...logs.values()].reduce((sum, log) => sum + log.length, 0)
  // Each of a process's two lanes has one write in flight when it is killed.
  if (stored - told > 2 * acknowledged.size) faults.push(`${stored - told} messages are there that nobody was told of`)
  return faults
}

export const messages = { write, check }
