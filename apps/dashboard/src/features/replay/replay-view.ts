/** A replay as the page shows it: bounded, and every number with how it was found. */
import { RECORDED, WHY_PAID_DIFFERS, formatUsd, nanoFromUsd, reasonText, savedUsd } from '@cairn/core'
import type { WindowOrigin } from '@cairn/core'
import type { Figure } from '../usage/figure.ts'
import { compactCount, counted, wholeCount } from '../usage/figure.ts'
import type { ReplayChoice } from './choice.ts'
import type { RemovedBlock, ReplayOutcome, Rewrite } from './replay-session.ts'

/** Requests of a session, or of some that follow one another the largest inputs. */
export interface ReplayPoint {
  /** First and last of these requests, from 1. */
  readonly first: number
  readonly last: number
  /** Of the first, ms. */
  readonly at: number | null
  /** Input in tokens, the prefix included. */
  readonly sent: number
  readonly chosen: number
}

/** A rewrite as the page shows it. */
export interface RewriteView {
  /** From 1. */
  readonly request: number
  readonly at: number | null
  readonly trigger: string
  readonly blocks: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly costText: string
  readonly savedText: string
}

/** A replay as the page shows it. */
export interface ReplayView {
  readonly policy: ReplayChoice['policy']
  readonly requests: number
  /** Tokens. */
  readonly window: number
  /** What was reckoned with, in sentences. */
  readonly settings: readonly string[]
  /** The same on the command line; null where the session's id would have to be escaped. */
  readonly command: string | null
  readonly points: readonly ReplayPoint[]
  readonly rewrites: readonly RewriteView[]
  /** How many rewrites there are beside those. */
  readonly moreRewrites: number
  /** What was paid, as recorded, and how that differs from the simulation, in sentences. */
  readonly paid: readonly string[]
  readonly figures: Readonly<Record<'cost' | 'sent' | 'saved' | 'cacheHit' | 'peak' | 'rewrites' | 'misses', Figure>>
  /** Requests that do not fit the window, as its agent sent them and by the estimate. */
  readonly overflows: number
}

/** The removed blocks of one kind. */
export interface RemovalGroup {
  readonly name: string
  readonly blocks: number
  readonly savedTokens: number
  readonly removals: readonly RemovalView[]
}

/** A removed block. */
export interface RemovalView {
  readonly entry: number
  readonly block: number
  /** The name by which `cairn context restore` brings it back. */
  readonly target: string
  readonly path: string | null
  readonly why: string
  readonly what: RemovedBlock['what']
  readonly savedTokens: number
}

/** What left before one request. */
export interface RemovalsView {
  readonly rewrites: readonly {
    readonly trigger: string
    readonly tokensBefore: number
    readonly tokensAfter: number
    /** What it cost, what it saves, and when that is even: sentences. */
    readonly sums: readonly string[]
  }[]
  readonly restore: string
  /** What took most first. */
  readonly groups: readonly RemovalGroup[]
  readonly blocks: number
  /** How many blocks are not listed. */
  readonly more: number
}

const MOST_POINTS = 2_000
const MOST_REWRITES = 2_000
const MOST_REMOVALS = 200

/** What a change of the input is called, by the kind of its block. */
const KINDS: Readonly<Record<string, string>> = {
  user: 'User messages',
  program: 'The agent’s program',
  system: 'System',
  reply: 'Replies',
  thinking: 'Reasoning',
  call: 'Tool calls',
  read: 'Reads',
  edit: 'Edits',
  command: 'Commands',
  search: 'Searches',
  result: 'Other tools’ results',
  summary: 'Summaries',
}

const TRIGGERS: Readonly<Record<string, string>> = {
  window: 'The context would not have fitted the window.',
  refused: 'The provider would have refused the request as too large.',
  'cold-cache': 'The provider’s cache had run out after a pause, so the rewrite cost nothing extra.',
  rent: 'Carrying on what was no longer needed had cost more than writing the rest again.',
  compaction: 'The session’s agent compacted its context.',
  truncation: 'The session’s agent truncated its context.',
  edit: 'The session’s agent shortened a message.',
  rewrite: 'The session’s agent rewrote its context.',
  arrival: 'Long output was cut as it came, before it was sent for the first time.',
}

/** Returns the text for a code, or the code itself if there is none. */
const known = (table: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(table, code) ? (table[code] ?? code) : code

const ORIGINS: Readonly<Record<WindowOrigin, string>> = {
  given: 'as chosen',
  model: 'the model’s own',
  recorded: 'more was sent than is known of the model, so the next usual size',
  assumed: 'assumed, because the model’s is not known',
}

/** Returns an amount in USD as text. */
const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))
/** Returns a share of 0 to 1 in percent, with one decimal. */
const share = (part: number): string => `${(part * 100).toFixed(1)}%`
/** Returns a figure with its notes. */
const figure = (text: string, ...notes: readonly string[]): Figure => ({ text, notes, isIncomplete: false })

/**
 * Returns the requests as at most `most` points, in order. If there are more requests, neighbours share a point, which
 * has the largest inputs among them.
 */
export const replayPoints = (requests: ReplayOutcome['requests'], most = MOST_POINTS): readonly ReplayPoint[] => {
  const each = Math.max(1, Math.ceil(requests.length / most))
  const points: ReplayPoint[] = []
  for (let from = 0; from < requests.length; from += each) {
    const group = requests.slice(from, from + each)
    points.push({
      first: from + 1,
      last: from + group.length,
      at: group[0]?.at ?? null,
      sent: Math.max(...group.map(({ sent }) => sent)),
      chosen: Math.max(...group.map(({ chosen }) => chosen)),
    })
  }
  return points
}

/**
 * Returns window, prices and prefix as three sentences, and where each comes from; without a cache where the model has
 * none.
 */
const settingTexts = ({ model, isModelPriced, windowFrom, settings }: ReplayOutcome): readonly string[] => {
  const { window, prefix, prices, cacheLifetime } = settings
  const numbers =
    cacheLifetime === 0
      ? `$${prices.input} in and $${prices.output} out per million tokens, no cache`
      : `$${prices.input} in, $${prices.output} out, $${prices.write} cache write, $${prices.read} cache read per million tokens`
  const whose = isModelPriced
    ? `Prices of ${model ?? 'its model'}, today`
    : model === null
      ? 'Default prices, because the session names no model'
      : `Default prices, because none are known for ${model}`
  return [
    `Window of ${wholeCount(window)} tokens: ${ORIGINS[windowFrom]}.`,
    `${whose}: ${numbers}.`,
    `${wholeCount(prefix)} tokens of system prompt and tools are assumed${cacheLifetime === 0 ? '' : `, and a cache that lives for ${counted(cacheLifetime, 'second')}`}. Tokens are estimated from the text.`,
  ]
}

/** Characters that no shell takes for its own. */
const PLAIN = /^[\w.:@-]+$/

/**
 * Returns the command that makes the same replay; null if the session's id would need quoting. Null too for an id that
 * looks like a file or an option, and for a priced model whose name would need quoting.
 */
const commandOf = (
  session: string,
  { policy, preset }: ReplayChoice,
  { model, isModelPriced, settings: { window, prefix } }: ReplayOutcome,
): string | null => {
  if (!PLAIN.test(session) || session.startsWith('-') || /\.(?:jsonl?|gz)$/i.test(session)) return null
  if (isModelPriced && (model === null || !PLAIN.test(model))) return null
  const policies = policy === 'recorded' ? policy : `recorded,${policy}`
  return [
    `cairn replay ${session} --policy ${policies}`,
    ...(policy === 'cache-aware' ? [`--preset ${preset}`] : []),
    `--window ${window}`,
    ...(prefix === 20_000 ? [] : [`--prefix ${prefix}`]),
    ...(isModelPriced ? [`--prices ${model}`] : []),
  ].join(' ')
}

/** Returns a rewrite as the page shows it. Its number counts from 1; costs in USD. */
const rewriteView = (rewrite: Rewrite, requests: ReplayOutcome['requests']): RewriteView => ({
  request: rewrite.request + 1,
  at: requests[rewrite.request]?.at ?? null,
  trigger: known(TRIGGERS, rewrite.trigger),
  blocks: rewrite.removals.length,
  tokensBefore: rewrite.tokensBefore,
  tokensAfter: rewrite.tokensAfter,
  costText: usd(rewrite.costUsd),
  savedText: usd(rewrite.savedUsdPerRequest),
})

const MISS_NOTES = [
  'A miss: the agent went back to a name or a line that the policy had taken out of its sight.',
  'In its cost each miss counts as a failed try and reading the source again.',
] as const

/**
 * Returns what was paid for the session, as recorded, and why that is not part of the savings. A single sentence if no
 * usage is recorded.
 */
const paidTexts = ({ paid }: ReplayOutcome): readonly string[] => {
  if (paid === undefined) return ['Paid: not known, because no usage of the main conversation is recorded.']
  const { costUsd, requests, unpricedRequests, peakTokens, cacheHitRatio } = paid
  const cost =
    unpricedRequests === requests
      ? 'an unknown price'
      : `${usd(costUsd)}${unpricedRequests === 0 ? '' : `, without ${counted(unpricedRequests, 'request')} of unknown price,`}`
  return [
    `Paid, as recorded: ${cost} for ${counted(requests, 'request')} of the main conversation, the largest of ${counted(peakTokens, 'token')}, ${share(cacheHitRatio)} of the input cached; subagents left out.`,
    WHY_PAID_DIFFERS,
  ]
}

/** Returns how often the agent itself changed its context, as a sentence. */
const changesText = ({ recordedChanges }: ReplayOutcome): string =>
  recordedChanges === 0
    ? 'Its agent never changed its context.'
    : `Its agent changed its context ${counted(recordedChanges, 'time')}.`

/** Returns how much less or more than another cost, in USD and percent. */
const difference = (saved: number, of: number): string =>
  `${usd(Math.abs(saved))}${of === 0 ? '' : ` (${share(Math.abs(saved) / of)})`} ${saved < 0 ? 'more' : 'less'} than`

/**
 * Returns the figures of a replay's outcome. Costs have what it took to get back what was missed in them; `saved` is
 * against what its agent did, simulated too.
 */
const figuresOf = (outcome: ReplayOutcome): ReplayView['figures'] => {
  const { recorded, chosen, rewrites, settings, requests } = outcome
  const saved = savedUsd(chosen, recorded)
  const largest = requests.reduce((most, { sent }) => Math.max(most, sent), 0)
  // Of what it had put in itself it only renews its notes; nothing of the conversation leaves with them.
  const blocks = rewrites.reduce((sum, { removals }) => sum + removals.length, 0)
  const renewed = chosen.removals - blocks
  const restored = chosen.costWithRestoresUsd - chosen.costUsd
  return {
    cost: figure(
      usd(chosen.costWithRestoresUsd),
      `Simulated: ${usd(chosen.costUsd)} for the requests and ${usd(restored)} for getting back what was missed.`,
    ),
    sent: figure(
      usd(recorded.costWithRestoresUsd),
      `Simulated like the policy: ${usd(recorded.costUsd)} for the requests and ${usd(recorded.costWithRestoresUsd - recorded.costUsd)} for getting back what was missed.`,
      changesText(outcome),
    ),
    saved: figure(
      usd(saved),
      chosen.policy === RECORDED ? 'this is what its agent did' : 'of what its agent did, both simulated',
      `${difference(saved, recorded.costWithRestoresUsd)} what its agent did costs in the same simulation, ${usd(recorded.costWithRestoresUsd)}.`,
    ),
    cacheHit: figure(
      share(chosen.cacheHitRatio),
      `The share of all input that was read from the provider’s cache, simulated; ${share(recorded.cacheHitRatio)} as its agent sent${outcome.paid === undefined ? '' : `, and ${share(outcome.paid.cacheHitRatio)} as recorded`}.`,
    ),
    peak: figure(
      compactCount(chosen.peakTokens),
      `The largest request: ${counted(chosen.peakTokens, 'token')} of a window of ${wholeCount(settings.window)}; ${wholeCount(largest)} as its agent sent, both simulated${outcome.paid === undefined ? '' : `; ${wholeCount(outcome.paid.peakTokens)} as recorded`}.`,
    ),
    rewrites: figure(
      wholeCount(chosen.rewrites),
      `Times that the policy changed what had been sent, or cut what came: ${counted(blocks, 'block')} in ${counted(rewrites.length, 'rewrite')}.`,
      ...(renewed === 0 ? [] : [`It renewed ${counted(renewed, 'note')} of its own besides.`]),
    ),
    misses: figure(
      wholeCount(chosen.missedReferences),
      ...MISS_NOTES,
      `${wholeCount(chosen.missedContent)} where a name in a digest does not count as seen; ${counted(chosen.references + chosen.anchors, 'thing was', 'things were')} gone back to in all.`,
    ),
  }
}

/**
 * Returns a replay's outcome as the page shows it: at most `MOST_REWRITES` rewrites, and how many more there are.
 * @param session its id, for the command that makes the same replay
 */
export const replayView = (session: string, choice: ReplayChoice, outcome: ReplayOutcome): ReplayView => ({
  policy: choice.policy,
  requests: outcome.requests.length,
  window: outcome.settings.window,
  settings: settingTexts(outcome),
  command: commandOf(session, choice, outcome),
  points: replayPoints(outcome.requests),
  rewrites: outcome.rewrites.slice(0, MOST_REWRITES).map((rewrite) => rewriteView(rewrite, outcome.requests)),
  moreRewrites: Math.max(0, outcome.rewrites.length - MOST_REWRITES),
  figures: figuresOf(outcome),
  paid: paidTexts(outcome),
  overflows: outcome.recorded.overflows,
})

/**
 * Returns what a rewrite cost and saved, in sentences, and when it has paid for itself. The last is left out of a
 * rewrite that cost nothing, and of one that saves nothing, which is said.
 */
const sumsOf = ({ costUsd, savedUsdPerRequest, rewrittenTokens }: Rewrite): readonly string[] => {
  const cost =
    costUsd === 0
      ? `${counted(rewrittenTokens, 'token')} after the first change had to be written again in any case, so the rewrite itself cost nothing.`
      : `It cost ${usd(costUsd)}: ${counted(rewrittenTokens, 'token')} after the first change were written again instead of read from the cache.`
  if (savedUsdPerRequest <= 0) return [cost, 'It made the requests after it no cheaper.']
  const even = Math.ceil(costUsd / savedUsdPerRequest)
  return [
    cost,
    `Each request after it costs ${usd(savedUsdPerRequest)} less${even === 0 ? '' : `: even after ${counted(even, 'request')}`}.`,
  ]
}

/**
 * Returns what left before a request (from 1), by kind, the largest saving first; at most `most` removals are listed,
 * all are counted. Undefined if nothing left.
 */
export const removalsView = (
  { rewrites }: Pick<ReplayOutcome, 'rewrites'>,
  request: number,
  most = MOST_REMOVALS,
): RemovalsView | undefined => {
  const own = rewrites.filter((rewrite) => rewrite.request === request - 1)
  const [first] = own
  if (first === undefined) return undefined
  const removals = own
    .flatMap((rewrite) => rewrite.removals)
    .toSorted((left, right) => right.savedTokens - left.savedTokens)
  const listed = new Set(removals.slice(0, most))
  const groups = [...Map.groupBy(removals, ({ kind }) => kind)].map(([kind, all]): RemovalGroup => ({
    name: known(KINDS, kind),
    blocks: all.length,
    savedTokens: sumOf(all),
    removals: all
      .filter((removal) => listed.has(removal))
      .map(({ entry, block, messageId, path, why, what, savedTokens }) => ({
        entry,
        block,
        target: `${messageId}:${block}`,
        path: path ?? null,
        why: reasonText(why),
        what,
        savedTokens,
      })),
  }))
  return {
    rewrites: own.map((rewrite) => ({
      trigger: known(TRIGGERS, rewrite.trigger),
      tokensBefore: rewrite.tokensBefore,
      tokensAfter: rewrite.tokensAfter,
      sums: sumsOf(rewrite),
    })),
    restore: first.restore,
    groups: groups.toSorted((left, right) => right.savedTokens - left.savedTokens),
    blocks: removals.length,
    more: removals.length - listed.size,
  }
}

/** Returns how many tokens the removals save. */
const sumOf = (removals: readonly RemovedBlock[]): number =>
  removals.reduce((sum, { savedTokens }) => sum + savedTokens, 0)
