// npm run bench:prompt-recall: how often what the hook adds to a prompt is relevant. The threshold is chosen on one
// half of real requests, and its precision measured on the other half.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cairnCommand, cairnEnvironment, ensureBuilt } from './cairn.mjs'
import { scratchFolder } from './paths.mjs'
import { runWell } from './processes.mjs'
import { codingSessions, locomo } from './recall-data.mjs'

const LIMIT = 8
const SHOWN = 2
const THRESHOLDS = [4, 6, 8, 10, 12, 15, 20]
const WANTED_PRECISION = 0.9
/** Chat in a store of code: no message of it is relevant. */
const FOREIGN = 200

const set = codingSessions()
if (set === undefined) {
  console.log('The measurement is skipped: its data set does not lie beside the repository (../shared/data).')
  process.exit(0)
}
await ensureBuilt()
const { isFunctionWord } = await import('@cairn/core')
const { openStore } = await import('@cairn/storage-prisma')
const { FEWEST_WORDS_FOUND, SMALLEST_SHARE_FOUND } = await import('@cairn/core/hooks')
const folder = scratchFolder('prompt-recall')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
mkdirSync(folder, { recursive: true })
const store = `file:${join(folder, 'store.db')}`
const jsonLines = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const lines = join(folder, 'messages.jsonl')
writeFileSync(lines, jsonLines(set.lines))
console.error(`importing ${set.lines.length} messages …`)
await runWell(cairnCommand(['import', '--agent', 'generic', '--from', lines, '--store', store]), {
  env: cairnEnvironment,
})

/** The messages that recall finds for each query, with how many of its content words each holds. */
const candidates = async (queries) => {
  const opened = await openStore(store)
  try {
    const found = new Map()
    for (const { id, query, workspace, until } of queries) {
      const hits = await opened.search.search({
        text: query.slice(0, 4_000),
        workspace,
        limit: LIMIT,
        ...(until === undefined ? {} : { until: Date.parse(until) }),
      })
      found.set(
        id,
        hits.map(({ sessionId, explanation, role }) => {
          const words = explanation.terms.filter(({ text }) => !isFunctionWord(text))
          const count = words.filter((word) => word.found).length
          return {
            session: sessionId.slice('generic:'.length),
            role,
            found: count,
            share: count / Math.max(1, words.length),
          }
        }),
      )
    }
    return found
  } finally {
    await opened.close()
  }
}

/** The messages that a prompt would be given at a threshold. */
const shownOf = (hits, threshold) =>
  hits
    .filter(({ found, share, role }) => role !== 'system' && found >= threshold && share >= SMALLEST_SHARE_FOUND)
    .slice(0, SHOWN)

/** How often something was given, and how much of it was right. */
const measure = (queries, found, threshold) => {
  const all = queries.map(({ id, gold }) =>
    shownOf(found.get(id) ?? [], threshold).map(({ session }) => gold.has(session)),
  )
  const messages = all.flat()
  return {
    fired: all.filter((shown) => shown.length > 0).length,
    queries: queries.length,
    right: messages.filter(Boolean).length,
    messages: messages.length,
  }
}

const percent = (part, whole) => (whole === 0 ? '    –' : `${((100 * part) / whole).toFixed(1).padStart(5)} %`)
const row = (label, { fired, queries, right, messages }) =>
  console.log(
    `${label.padEnd(22)} ${percent(right, messages)} (${right} of ${messages} messages), given for ${fired} of ${queries} prompts`,
  )

const found = await candidates(set.queries)
const tuning = set.queries.filter((_, index) => index % 2 === 0)
const held = set.queries.filter((_, index) => index % 2 === 1)
console.log(
  `Precision of what is added to a prompt: ${set.name}, ${set.queries.length} requests, ${set.lines.length} messages`,
)
for (const threshold of THRESHOLDS) row(`tuning, ${threshold} words`, measure(tuning, found, threshold))
const chosen = THRESHOLDS.find((threshold) => {
  const { right, messages } = measure(tuning, found, threshold)
  return messages > 0 && right / messages >= WANTED_PRECISION
})
console.log(`Chosen: ${chosen} words (in use: ${FEWEST_WORDS_FOUND})`)
row(`other half, ${FEWEST_WORDS_FOUND} words`, measure(held, found, FEWEST_WORDS_FOUND))
row(`all, ${FEWEST_WORDS_FOUND} words`, measure(set.queries, found, FEWEST_WORDS_FOUND))

const chat = locomo()
if (chat !== undefined) {
  const foreign = chat.queries
    .slice(0, FOREIGN)
    .map((query) => ({ ...query, workspace: set.lines[0].workspace, until: undefined, gold: new Map() }))
  row('questions of another', measure(foreign, await candidates(foreign), FEWEST_WORDS_FOUND))
}
