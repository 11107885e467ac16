// The reads that programs make while sessions go on, derived from the prompts of real sessions in the order of their times.

/** Entries of a page of the dashboard, and of `session show`; those that an outline reads at once. */
const DASHBOARD_PAGE = 100
const SHOW_PAGE = 200
const OUTLINE_PAGE = 500
/** Entries before and after a message that `get_message` reads for two neighbours. */
const REACH = 8
const SHORTEST_PROMPT = 20
const LONGEST_PROMPT = 300

/**
 * @typedef {{ kind: 'recall', text: string, until: number }
 *   | { kind: 'message' | 'page', session: string, seq: number }
 *   | { kind: 'outline' | 'show' | 'context', session: string }
 *   | { kind: 'pass' }} Operation
 */

const allSessions = async (store) => (await store.sessions.list({ limit: 100_000 })).sessions

/** The prompts of all sessions, the oldest first; of a session's copies only one counts. */
async function promptsOf(store) {
  const prompts = []
  for (const { id, messages } of await allSessions(store)) {
    if (messages < 2) continue
    for (const entry of await store.sessions.read(id, { kinds: ['message'] })) {
      if (entry.role !== 'user' || entry.at === null || entry.subagent !== undefined) continue
      const text = entry.content.find(({ type }) => type === 'text')?.text.trim() ?? ''
      if (text.length >= SHORTEST_PROMPT && !text.startsWith('<'))
        prompts.push({ session: id, seq: entry.seq, at: entry.at, text })
    }
  }
  return prompts.sort((left, right) => left.at - right.at)
}

/**
 * What is asked of the store at each of so many prompts, spread evenly over all: the agent recalls and opens what it found; a
 * person looks at the session at every third one, and at a found one as a whole at every tenth; the context is shown when
 * another session begins.
 * @param {import('@cairn/core').Store} store
 * @param {number} most prompts
 * @returns {Promise<Operation[]>}
 */
export async function operationsOf(store, most) {
  const all = await promptsOf(store)
  const prompts = all.filter(
    (_, index) => Math.floor((index * most) / all.length) !== Math.floor(((index - 1) * most) / all.length),
  )
  const operations = []
  let former
  for (const [index, { session, seq, at, text }] of prompts.entries()) {
    if (session !== former) operations.push({ kind: 'context', session })
    former = session
    const recall = { kind: 'recall', text: text.slice(0, LONGEST_PROMPT), until: at }
    operations.push(recall)
    const hits = await searched(store, recall)
    for (const hit of hits.slice(0, 1 + (index % 2)))
      operations.push({ kind: 'message', session: hit.sessionId, seq: hit.seq })
    if (index % 3 === 0)
      operations.push(
        { kind: 'outline', session },
        { kind: 'page', session, seq },
        { kind: 'page', session, seq: seq + DASHBOARD_PAGE },
      )
    if (index % 10 === 0 && hits.length > 0) operations.push({ kind: 'show', session: hits[0].sessionId })
  }
  return operations
}

/**
 * The operations with passes over all sessions among them, as an export or a search through all logs makes them.
 * @param {readonly Operation[]} operations
 * @param {number} passes
 * @returns {Operation[]}
 */
export const withPasses = (operations, passes) => {
  const every = Math.ceil(operations.length / (passes + 1))
  return operations.flatMap((operation, index) =>
    index > 0 && index % every === 0 ? [{ kind: 'pass' }, operation] : [operation],
  )
}

/** Ids in an order that has nothing to do with their time. */
const inNoOrder = (sessions) => {
  const key = (id) => [...id].reverse().join('')
  return sessions.map(({ id }) => id).sort((left, right) => (key(left) < key(right) ? -1 : 1))
}

const searched = (store, { text, until }) => store.search.search({ text, until, limit: 8 })

/** Reads a session in parts of so many entries, to its end. */
async function readInParts(store, session, limit, kinds) {
  for (let fromSeq = 0; ;) {
    const entries = await store.sessions.read(session, { fromSeq, limit, ...(kinds === undefined ? {} : { kinds }) })
    const last = entries.at(-1)
    if (last === undefined) return
    fromSeq = last.seq + 1
  }
}

const OUTLINE_KINDS = ['message', 'compaction', 'file', 'checkpoint', 'todo', 'truncation']

/**
 * Makes the reads of one operation. Resolves with a recall's hits, else with none.
 * @param {import('@cairn/core').Store} store
 * @param {Operation} operation
 */
export async function perform(store, operation) {
  const { kind, session, seq } = operation
  if (kind === 'recall') return searched(store, operation)
  if (kind === 'message') {
    const fromSeq = Math.max(0, seq - REACH)
    await store.sessions.read(session, { fromSeq, limit: seq - fromSeq + 1 + REACH, kinds: ['message'] })
  } else if (kind === 'page') {
    const fromSeq = Math.floor(seq / DASHBOARD_PAGE) * DASHBOARD_PAGE
    await store.sessions.read(session, { fromSeq, limit: DASHBOARD_PAGE })
  } else if (kind === 'outline') await readInParts(store, session, OUTLINE_PAGE, OUTLINE_KINDS)
  else if (kind === 'pass')
    for (const id of inNoOrder(await allSessions(store))) await readInParts(store, id, OUTLINE_PAGE)
  else if (kind === 'show') await readInParts(store, session, SHOW_PAGE)
  else await store.sessions.read(session)
  return []
}
