// The usage of a made-up team over two years: sessions of about 50 requests within one to three hours, many at a time
// in office hours, few at night and at weekends; three of twelve models make nine tenths.

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export const START = Date.UTC(2024, 10, 1)
export const END = Date.UTC(2026, 10, 1)
export const REQUESTS_PER_SESSION = 50
export const AGENTS = ['claude-code', 'codex', 'cline', 'roo', 'pi']
export const MODELS = [
  'claude-opus-4-6',
  'claude-sonnet-4-6',
  'claude-haiku-4-5',
  ...Array.from({ length: 9 }, (_, index) => `model-${index + 4}`),
]
export const WORKSPACES = Array.from({ length: 40 }, (_, index) => `project-${index + 1}`)
export const BRANCHES = Array.from({ length: 300 }, (_, index) => `feature/${index + 1}`)

const AGENT_SHARES = [0.6, 0.2, 0.1, 0.06, 0.04]
const MODEL_SHARES = [0.5, 0.25, 0.15, ...Array.from({ length: 9 }, () => 0.1 / 9)]
/** Helpers such as titles and searches run on the small model. */
const SMALL_MODEL = 2
const SMALL_MODEL_SHARE = 0.1
const UNPRICED_SHARE = 0.02
const PARTIAL_SHARE = 0.05
const WEEKEND_WEIGHT = 0.08
const NIGHT_SHARE = 0.06

/**
 * Sessions in order of their start; together exactly `requests` (a multiple of 100) requests.
 * @param {number} requests
 * @param {() => number} random
 */
export function* sessionsOfTeam(requests, random) {
  const sessions = requests / REQUESTS_PER_SESSION
  const days = Array.from({ length: Math.round((END - START) / DAY_MS) }, (_, index) => START + index * DAY_MS)
  const weights = days.map(
    (day) => ([0, 6].includes(new Date(day).getUTCDay()) ? WEEKEND_WEIGHT : 1) * (0.8 + 0.4 * random()),
  )
  const weight = weights.reduce((sum, value) => sum + value, 0)
  let begun = 0
  let reached = 0
  let difference = 0
  for (const [index, day] of days.entries()) {
    reached += weights[index]
    const until = index === days.length - 1 ? sessions : Math.round((reached / weight) * sessions)
    const starts = Array.from({ length: until - begun }, () => day + startInDay(random)).sort(
      (left, right) => left - right,
    )
    for (const start of starts) {
      // Two by two they are as far above the average as below it, so that the sum is exact.
      difference = begun % 2 === 0 ? Math.round((random() - 0.5) * 80) : -difference
      begun += 1
      yield session(start, REQUESTS_PER_SESSION + difference, random)
    }
  }
}

/** Between seven and seventeen, for people from London to Berlin; some at any time. */
function startInDay(random) {
  const hour = random() < NIGHT_SHARE ? random() * 21 : 7 + ((random() + random()) / 2) * 10
  return Math.round(hour * HOUR_MS)
}

/**
 * A made session of `count` requests over one to three hours from `start`: a share small, unpriced or partial, with a
 * context that grows and is compacted. `random` decides all.
 */
function session(start, count, random) {
  const duration = (1 + 2 * random()) * HOUR_MS
  const main = pick(MODEL_SHARES, random)
  const plans = Math.floor(count * 0.4 * random())
  let context = 15_000
  const requests = Array.from({ length: count }, (_, index) => {
    const small = random() < SMALL_MODEL_SHARE
    const fresh = Math.floor(300 + random() ** 3 * 12_000)
    context = context > 160_000 ? 30_000 : context + fresh
    const output = Math.floor(20 + random() ** 2 * 1_500)
    const longLived = random() < 0.3
    return {
      at: Math.floor(start + ((index + random() * 0.9) / count) * duration),
      model: small ? SMALL_MODEL : main,
      mode: index < plans ? 0 : 1,
      input: Math.floor(random() * 40),
      cacheRead: context - fresh,
      cacheWrite5m: longLived ? 0 : fresh,
      cacheWrite1h: longLived ? fresh : 0,
      output,
      reasoning: random() < 0.4 ? Math.floor(output * 0.3) : 0,
      costNano: random() < UNPRICED_SHARE ? null : (context - fresh) * 500 + fresh * 6_250 + output * 25_000,
      visible: random() < PARTIAL_SHARE ? output * 6 + 100 : Math.floor(output * 2.5),
    }
  })
  return {
    workspace: Math.floor(random() ** 2 * WORKSPACES.length),
    branch: Math.floor(random() ** 2 * BRANCHES.length),
    agent: pick(AGENT_SHARES, random),
    requests,
  }
}

/** An index, by shares that add up to one. */
function pick(shares, random) {
  let rest = random()
  const index = shares.findIndex((share) => (rest -= share) < 0)
  return index < 0 ? shares.length - 1 : index
}
