/**
 * Replays one session under a policy and as its agent did, and keeps what the page shows of it. Runs in a thread of its
 * own (`thread.ts`), so it imports nothing of the server's.
 */
import {
  DEFAULT_CHARS_PER_TOKEN,
  DEFAULT_REPLAY_PRICES,
  createModelCatalog,
  needsOf,
  paidUsage,
  pricesOfModel,
  RECORDED,
  replayRequests,
  replayedPolicy,
  replyReserve,
  trajectoryOf,
  windowFor,
} from '@cairn/core'
import type {
  CacheAwarePreset,
  ContextPrices,
  LogEntry,
  PaidRequest,
  PaidUsage,
  PolicyReplay,
  Removal,
  ReplayPolicyName,
  ReplaySettings,
  RequestTrace,
  RewriteReport,
  Trajectory,
  WindowOrigin,
} from '@cairn/core'
import type { Progress } from './progress.ts'

/** What is replayed, and how. */
export interface ReplayOrder {
  readonly session: string
  readonly policy: ReplayPolicyName
  readonly preset: CacheAwarePreset
  /** Tokens; null: the window of the session's own model. */
  readonly window: number | null
  /** The session's main model; null where nothing names one. */
  readonly model: string | null
  /** Largest input that a request of it had, tokens. */
  readonly largestInput: number
  /** The main conversation's requests in order of time. */
  readonly requests: readonly PaidRequest[]
  /** At which prices are looked up, ms. */
  readonly now: number
}

/** A block that left; `entry` is its number in the session's log. */
export interface RemovedBlock extends Omit<Removal, 'seq'> {
  readonly entry: number
}

/** A rewrite of the context, and the request that it came before. */
export interface Rewrite extends Omit<RewriteReport, 'removals' | 'policy'> {
  /** Before which request, from 0. */
  readonly request: number
  readonly removals: readonly RemovedBlock[]
}

/** What a replay found. */
export interface ReplayOutcome {
  readonly model: string | null
  readonly settings: ReplaySettings
  readonly windowFrom: WindowOrigin
  /** Whether the prices are the model's; else they are the default ones. */
  readonly isModelPriced: boolean
  /** What its agent sent, by the same reckoning. */
  readonly recorded: PolicyReplay
  /** How often its agent changed its context. */
  readonly recordedChanges: number
  /** What was paid; undefined where no usage is recorded. */
  readonly paid: PaidUsage | undefined
  /** The same as `recorded` where the policy does what its agent did. */
  readonly chosen: PolicyReplay
  /** By request: its time (ms), and its input in tokens as its agent sent it and under the policy. */
  readonly requests: readonly { readonly at: number | null; readonly sent: number; readonly chosen: number }[]
  /** Of the policy that was chosen, in order. */
  readonly rewrites: readonly Rewrite[]
}

/** As `cairn replay` has them where nothing else is said. */
const PREFIX_TOKENS = 20_000
const CACHE_SECONDS = 300

/** Returns the size of the prefix in tokens; at most half of a small window. */
const prefixFor = (window: number): number => Math.min(PREFIX_TOKENS, Math.floor(window / 2))

/**
 * Returns what a session is replayed with: a window (as given, else the model's, else what fits its largest input), an
 * assumed prefix, and the prices of its model, or default prices if none are known (`isModelPriced` is false).
 */
const settingsFor = async ({
  window: given,
  model,
  largestInput,
  now,
}: ReplayOrder): Promise<Pick<ReplayOutcome, 'settings' | 'windowFrom' | 'isModelPriced'>> => {
  const { window, from } = windowFor((await createModelCatalog()).facts(model ?? ''), given ?? undefined, largestInput)
  const found = model === null ? undefined : await pricesOfModel(model, { at: now, cacheLifetime: CACHE_SECONDS })
  const { prices, hasCache } = cached(found ?? DEFAULT_REPLAY_PRICES)
  const prefix = prefixFor(window)
  return {
    settings: {
      window,
      prefix,
      prices,
      cacheLifetime: hasCache ? CACHE_SECONDS : 0,
      charactersPerToken: DEFAULT_CHARS_PER_TOKEN,
      reply: replyReserve({ window, prefix }),
    },
    windowFrom: from,
    isModelPriced: found !== undefined,
  }
}

/**
 * Returns the prices as a cache needs them. If cached tokens cost as much as others, there is no cache, and all input
 * costs the same.
 */
const cached = (prices: ContextPrices): { readonly prices: ContextPrices; readonly hasCache: boolean } => {
  const { input, output, read } = prices
  return read < input
    ? { prices, hasCache: true }
    : { prices: { input, output, write: input, read: input }, hasCache: false }
}

/**
 * Replays a session as its agent did and under the policy, at default prices if its model has none (`isModelPriced`
 * says so). Neither reads nor writes the store.
 * @param entries its log, in order
 * @param onProgress called after each request
 */
export const replaySession = async (
  order: ReplayOrder,
  entries: readonly LogEntry[],
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<ReplayOutcome> => {
  const { policy, preset, session, model } = order
  const facts = await settingsFor(order)
  const trajectory = trajectoryOf({
    session,
    entries,
    requestsByTime: order.requests,
    charactersPerToken: facts.settings.charactersPerToken,
  })
  const needs = needsOf(trajectory)
  const isSame = policy === RECORDED || (policy === 'none' && trajectory.recordedChanges === 0)
  const passes: readonly ReplayPolicyName[] = isSame ? [RECORDED] : [RECORDED, policy]
  const total = trajectory.turns.length
  const entryOf = entryNumbers(trajectory)

  const run = (
    name: ReplayPolicyName,
  ): { readonly whole: PolicyReplay; readonly tokens: readonly number[]; readonly rewrites: readonly Rewrite[] } => {
    const { policy: played, trajectory: given } = replayedPolicy(name, trajectory, preset)
    const requests = replayRequests(played, given, needs, facts.settings)
    const tokens: number[] = []
    const rewrites: Rewrite[] = []
    for (let step = requests.next(); ; step = requests.next()) {
      if (step.done === true) return { whole: step.value, tokens, rewrites }
      const { request, inputTokens, prepared } = step.value
      const before = tokens.at(-1) ?? facts.settings.prefix
      tokens.push(inputTokens)
      if (step.value.recorded.length > 0) rewrites.push(recordedRewrite(step.value, before, facts.settings, entryOf))
      for (const { removals, policy: _, ...report } of prepared.reports)
        rewrites.push({ ...report, request, removals: removals.map((removal) => removedBlock(removal, entryOf)) })
      onProgress({ done: tokens.length, total, pass: passes.indexOf(name), passes })
    }
  }

  const sent = run(RECORDED)
  const chosen = isSame ? sent : run(policy)
  return {
    model,
    ...facts,
    recorded: sent.whole,
    recordedChanges: trajectory.recordedChanges,
    paid: paidUsage(order.requests, facts.settings.prices),
    chosen: chosen.whole,
    requests: trajectory.turns.map(({ at }, index) => ({
      at,
      sent: sent.tokens[index] ?? 0,
      chosen: chosen.tokens[index] ?? 0,
    })),
    rewrites: chosen.rewrites,
  }
}

/**
 * Returns what the agent itself did before a request, in the form of a policy's rewrite. Its cost in USD is 0 where
 * nothing was read from the cache. `entryOf`: an entry's number in the log, by `seq`.
 * @param inputBefore tokens of the request before
 */
const recordedRewrite = (
  { request, inputTokens, readTokens, recorded, left }: RequestTrace,
  inputBefore: number,
  { prefix, prices }: ReplaySettings,
  entryOf: ReadonlyMap<number, number>,
): Rewrite => {
  const rewrittenTokens = inputTokens - Math.max(readTokens, prefix)
  const spared = Math.max(0, inputBefore - inputTokens)
  return {
    request,
    trigger: recorded.at(-1)?.kind ?? 'compaction',
    removals: left.map(({ block: viewBlock, tokens }): RemovedBlock => {
      const { seq, block, entry, replacement } = viewBlock.source
      const path = viewBlock.operations[0]?.path
      return {
        entry: entryOf.get(seq) ?? 0,
        block,
        messageId: entry.id,
        kind: viewBlock.kind,
        ...(path === undefined ? {} : { path }),
        why: recorded.at(-1)?.kind ?? 'compaction',
        what: replacement === undefined ? 'removed' : 'shortened',
        savedTokens: tokens,
      }
    }),
    tokensBefore: inputBefore - prefix,
    tokensAfter: inputTokens - prefix,
    rewrittenTokens,
    costUsd: readTokens === 0 ? 0 : (rewrittenTokens * (prices.write - prices.read)) / 1e6,
    savedUsdPerRequest: (spared * prices.read) / 1e6,
    restore: 'The session’s own agent did this. The log keeps every block whole.',
  }
}

/** Returns the number in the log of each entry, by its number in the replay. */
const entryNumbers = ({ entries, lines }: Trajectory): ReadonlyMap<number, number> =>
  new Map(entries.map(({ seq }, index) => [seq, lines[index] ?? 0]))

/** Returns a removed block with its entry's number in the log. `entryOf`: by `seq`; 0 where it is not there. */
const removedBlock = ({ seq, ...removal }: Removal, entryOf: ReadonlyMap<number, number>): RemovedBlock => ({
  ...removal,
  entry: entryOf.get(seq) ?? 0,
})
