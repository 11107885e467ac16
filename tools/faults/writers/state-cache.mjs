// State that is set in memory and written behind: what a flush acknowledged is there, values that were set together are there
// together, and none is older than one that was acknowledged.
import { createSystemTimer } from '@cairn/core/node'
import { createState } from '@cairn/core/state'

const NAMES = ['first', 'second', 'third']
/** Sets between two flushes, at most; most of them are never written, as the next one takes their place. */
const MOST_SETS = 40

const scopeOf = (process) => ({ tier: 'workspace', workspace: `/work/cache/${process}` })
const anything = { safeParse: (data) => ({ success: true, data }) }
const KEYS = NAMES.map((name) => ({ name, tiers: ['workspace'], schema: anything, fallback: null }))
const valueOf = (count, name) => ({ count, text: name.repeat(count % 200) })

/**
 * Sets values in a cache, several times before each flush; acknowledges each flush. @type
 * {import('./index.mjs').Writer['write']}
 */
async function write({ engine, process, random, acknowledge, isOver }) {
  const scope = scopeOf(process)
  const cache = createState({
    storage: engine.store.state,
    timer: createSystemTimer(),
    now: () => Date.now(),
    keys: KEYS,
    follow: (onChange) => engine.store.onChange(onChange),
    writeDelayMs: 5,
  })
  await cache.open(scope)
  for (let count = 0; !isOver();) {
    const last = count + Math.floor(random() * MOST_SETS)
    for (; count <= last; count += 1) for (const key of KEYS) cache.set(key, scope, valueOf(count, key.name))
    await cache.flush()
    await acknowledge(last)
  }
  await cache.close()
}

/**
 * Returns a sentence for each process whose values are of different sets, or older than the last flush. @type
 * {import('./index.mjs').Writer['check']}
 */
async function check({ engine, acknowledged }) {
  const faults = []
  for (const [process, counts] of acknowledged) {
    const last = counts.at(-1) ?? -1
    const found = await engine.store.state.all(scopeOf(process))
    const there = NAMES.map((name) => found.get(name)?.count ?? -1)
    const isWhole = NAMES.every((name) => {
      const { count, text } = found.get(name) ?? { count: -1 }
      return count === there[0] && (count < 0 || text === valueOf(count, name).text)
    })
    if (!isWhole || there[0] < last) faults.push(`set ${last} of ${process} was flushed, and there are ${there}`)
  }
  return faults
}

export const stateCache = { write, check }
