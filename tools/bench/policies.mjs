// What the default context policy costs and loses on the recorded sessions, whole and by halves, beside what it is to reach.
import { replayAll } from './context-replays.mjs'
import { NO_SESSIONS, halvesOf, sessionFiles } from './context-sessions.mjs'
import { LIFETIME, PREFIX, PRICES, STANDARD, WINDOWS, dearerThan } from './context-settings.mjs'

/** By window: of the cost of sending everything; misses and content misses a session. */
const GOALS = {
  200_000: { cost: 0.54, misses: 1.1, content: 3.8 },
  128_000: { cost: 0.52, misses: 1.7 },
  64_000: { cost: 0.46, misses: 6.7 },
}
/** Of the sessions, at most, that may cost over 2 % more than the cheaper of `cline` and `clio`; not asked for at 64k. */
const MOST_DEARER = 1 / 20
const JUDGED = ['none', 'cline', 'clio', 'cache-aware safe']

/**
 * Replays the recorded sessions; no results where they are not there. No times are measured: the same sources and
 * sessions give the same results.
 * @param {{ sessions: number, log: (text: string) => void }} options `sessions`: at most so many
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function policies({ sessions, log }) {
  const files = sessionFiles().slice(0, sessions)
  if (files.length === 0) {
    log(`policies: ${NO_SESSIONS}`)
    return []
  }
  const [first, second] = halvesOf(files)
  const samples = Object.entries({ all: files, 'first half': first, 'second half': second })
  const results = []
  for (const [name, sample] of samples) results.push(...(await measured(name, sample)))
  return results
}

async function measured(name, files) {
  const runs = WINDOWS.flatMap((window) =>
    STANDARD.filter(({ label }) => JUDGED.includes(label)).map((run) => ({
      ...run,
      label: `${window}|${run.label}`,
      window,
      prices: PRICES.Anthropic,
      cacheLifetime: LIFETIME,
      prefix: PREFIX,
    })),
  )
  const found = await replayAll(files, runs)
  return WINDOWS.flatMap((window) => {
    const at = (label) => found.get(`${window}|${label}`)
    const safe = at('cache-aware safe')
    const dearer = dearerThan(files, safe, [at('cline'), at('clio')]).length / files.length
    const goal = GOALS[window]
    const result = (measure, value, most) => ({
      name: `${window / 1000}k, ${name}: ${measure}`,
      value,
      unit: 'ratio',
      ...(name === 'all' && most !== undefined ? { target: { most } } : {}),
    })
    return [
      result('cost / none', safe.cost / at('none').cost, goal.cost),
      result('misses', safe.misses, goal.misses),
      result('content misses', safe.content, goal.content),
      result('dearer sessions', dearer, window > 64_000 ? MOST_DEARER : undefined),
    ]
  })
}
