/**
 * Usage as a fact table: one row a request. Rollups are derived from the rows in the same transaction,
 * so every view sums the same facts and all totals agree to the last digit.
 */
import type { NanoUsd } from '../money.ts'
import type { CostSplit, TokenSums, TokenUsage } from './price-book.ts'

/** `recorded`: the transcript told the cost. `computed`: from the price book. `unpriced`: nobody knows, so there is none. */
export type CostState = 'recorded' | 'computed' | 'unpriced'

/**
 * One request to a model. Sources repeat a request (a line a block, progress lines, forks that replay
 * their parent): `callId` says that it is the same. Of several reports the largest output counts; it
 * belongs to the session where it was seen first in time.
 */
export interface RequestFact extends TokenUsage {
  /** Unique within the agent. */
  readonly callId: string
  readonly at: number | null
  readonly model: string
  readonly provider?: string
  /** plan, act, or the agent's own name for its mode. */
  readonly mode?: string
  /** Who made it beside the main conversation: a subagent, or Cairn for a summary; absent: the conversation itself. */
  readonly subagent?: string
  /** Where it was made; absent: where its session is. */
  readonly workspace?: string
  readonly branch?: string
  readonly costNano: NanoUsd | null
  readonly costState: CostState
  /** Parts of a computed cost; of a recorded one only what caching saved by the price list. Absent: not known. */
  readonly costSplit?: Omit<CostSplit, 'inputNano'>
  /** Which attempt it was that succeeded, from 1; absent: not known. */
  readonly attempt?: number
  /** From sending the request until its first token and until its end, ms. Absent: not measured, as in all imports. */
  readonly latency?: RequestLatency
  /** What a token of output costs, femto-USD (10⁻¹⁵): prices the output that was not recorded. Absent: not known. */
  readonly outputRate?: bigint
}

/** How long a request took, ms. */
export interface RequestLatency {
  /** Until the first token of the reply; at most `totalMs`. */
  readonly firstTokenMs: number
  readonly totalMs: number
}

/** A request that failed and was not billed: it is in no sum of requests, tokens or costs. */
export interface RequestFailure {
  /** Unique within the session. */
  readonly id: string
  readonly at: number
  readonly model: string
  readonly provider?: string
  readonly mode?: string
  /** Of an error, such as `rate-limit`. */
  readonly code: string
  /** From 1. */
  readonly attempt: number
  /** Until it failed, ms. */
  readonly totalMs: number
}

/** Failed requests of one code and model. */
export interface FailureSum {
  readonly code: string
  readonly model: string
  readonly provider: string | null
  readonly failures: number
  /** The newest, ms. */
  readonly lastAt: number
}

/** Which failed requests are counted: of a range of time (ms), of a session. */
export interface FailureQuery {
  readonly since?: number
  readonly until?: number
  readonly sessionId?: string
}

/**
 * When a reply is partial, in whole numbers, so that SQL made of them agrees with TypeScript to the last digit.
 * Characters a token: 2.7 on real Claude sessions.
 */
export const partialReply = {
  /** Tenths of a character that a token stands for. */
  tenthsPerToken: 27,
  /** The recorded output, so many times, is still less than what its visible characters need. */
  timesOutput: 2,
} as const

/**
 * A reply is partial when its recorded output (tokens) is under half of what its visible characters need. One without
 * characters is not.
 */
export const isPartial = (outputTokens: number, visibleCharacters: number): boolean =>
  outputTokens * partialReply.timesOutput * partialReply.tenthsPerToken < visibleCharacters * 10

/** Output tokens that a partial reply must have had beyond the recorded ones; 0 when it is not partial. */
export const missingOutputTokens = (outputTokens: number, visibleCharacters: number): number =>
  isPartial(outputTokens, visibleCharacters) ? tokensOfCharacters(visibleCharacters) - outputTokens : 0

/**
 * What a request's missing output must have cost, rounded to whole nano-USD; 0 without a price, and for a reply that is
 * not partial. An estimate, in no cost.
 */
export const missingOutputCostNano = (
  { outputTokens, costState, outputRate = 0n }: Pick<RequestFact, 'outputTokens' | 'costState' | 'outputRate'>,
  visibleCharacters: number,
): NanoUsd =>
  costState === 'unpriced'
    ? 0n
    : (BigInt(missingOutputTokens(outputTokens, visibleCharacters)) * outputRate + FEMTO_PER_NANO / 2n) / FEMTO_PER_NANO

const FEMTO_PER_NANO = 1_000_000n

/** Tokens that a text of so many characters takes, rounded up, as measured on real Claude sessions. */
export const tokensOfCharacters = (characters: number): number =>
  Math.ceil((characters * 10) / partialReply.tenthsPerToken)

/**
 * What usage is grouped by: spans of time, and what a request belongs to. The only list of them. A project is one or more
 * workspaces; person and machine are those that its session came from, in a team's store.
 */
const USAGE_PERIODS = ['day', 'week', 'month'] as const
export const USAGE_DIMENSIONS = [
  'session',
  'model',
  'mode',
  'workspace',
  'project',
  'branch',
  'agent',
  'person',
  'machine',
] as const
export const USAGE_GROUPINGS = [...USAGE_PERIODS, ...USAGE_DIMENSIONS] as const

export type UsageDimension = (typeof USAGE_DIMENSIONS)[number]
export type UsagePeriod = (typeof USAGE_PERIODS)[number]
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number]

/** Whether rows are spans of time (days, months and the like), which come in order of time. */
export const isUsagePeriod = (by: UsageGrouping): by is UsagePeriod => USAGE_PERIODS.some((period) => period === by)

export interface UsageQuery {
  readonly by: UsageGrouping
  /** From this time on, ms. */
  readonly since?: number
  /** Before this time, ms. */
  readonly until?: number
  /** IANA name; where days, weeks (from Monday) and months begin. Default UTC. */
  readonly timeZone?: string
  /** Only rows of these; a workspace by path or by name, a project also by the path of a folder in it. */
  readonly filter?: Readonly<Partial<Record<UsageDimension, string>>>
  /** At most this many rows, the dearest (of periods: the latest). The total is of all. */
  readonly limit?: number
}

/** Sums over requests; the tokens by class. */
export interface UsageTotals extends TokenSums {
  readonly requests: number
  /** Of the priced requests. */
  readonly costNano: NanoUsd
  /** The part of `costNano` that transcripts recorded; it is not told apart by class. */
  readonly recordedCostNano: NanoUsd
  readonly cacheReadCostNano: NanoUsd
  readonly cacheWriteCostNano: NanoUsd
  /** What is left of the computed cost was paid for uncached input. */
  readonly outputCostNano: NanoUsd
  /** What caching saved, by the price list. */
  readonly savedNano: NanoUsd
  readonly unpricedRequests: number
  readonly partialRequests: number
  /** Tokens that partial replies must have had beyond what was recorded; an estimate, in no other figure. */
  readonly missingOutputTokens: number
  /** What those tokens must have cost at their models' output prices; those without a price are not in it. An estimate, in no other figure. */
  readonly missingOutputCostNano: NanoUsd
  /** Requests whose latency was measured. */
  readonly timedRequests: number
  /** Of those, all times until the first token and until the end added up, ms. */
  readonly firstTokenMs: number
  readonly totalMs: number
}

export interface UsageRow extends UsageTotals {
  /** A day `2026-01-31`, week `2026-W05`, month `2026-01`, or the dimension's value (`unknown` if none). */
  readonly key: string
}

export interface UsageReport {
  /** Periods in order of time; others by cost, then requests, dearest first. */
  readonly rows: readonly UsageRow[]
  readonly total: UsageTotals
}

/** What one project, model or session cost before and now. */
export interface Mover {
  readonly key: string
  readonly beforeNano: NanoUsd
  readonly nowNano: NanoUsd
  /** `nowNano` less `beforeNano`. */
  readonly changeNano: NanoUsd
}

/** All movers and the others add up to the change, to the nano-USD. */
export interface Movers {
  /** The largest, whether up or down, first. */
  readonly movers: readonly Mover[]
  /** All that are not among them. */
  readonly others: { readonly count: number; readonly changeNano: NanoUsd }
}

/** Two spans of time (ms; `since` is in it, `until` is not), and which requests. */
export interface MoversQuery {
  readonly now: { readonly since: number; readonly until?: number }
  readonly before: { readonly since: number; readonly until: number }
  readonly filter?: UsageQuery['filter']
  /** How many are named. */
  readonly limit: number
}

/** Which requests of a session are read. */
export interface RequestRange {
  /** Only so many, from the end; at least 1. Default all. */
  readonly last?: number
}

export interface UsageStorage {
  /**
   * Sums of the requests that fit the query, in rows and in all; without any, no rows and zeros. Rejects with
   * `invalid-input` for a query that can't be used.
   */
  report(query: UsageQuery): Promise<UsageReport>
  /**
   * The sessions whose cost changed most between two spans; of the others, how many there are and by how much in all. The same as
   * two reports by session say, without reading all their rows. Rejects as `report` does.
   */
  sessionMovers(query: MoversQuery): Promise<Movers>
  /**
   * The requests of a session in order of time, those without one at the end: all, or the last ones. Empty for a session
   * without any, or an unknown one.
   */
  requests(sessionId: string, range?: RequestRange): Promise<readonly StoredRequest[]>
  /** Keeps a failed request of a session that exists; one with the same id is kept once. On disk when it resolves. */
  addFailure(sessionId: string, failure: RequestFailure): Promise<void>
  /** Failed requests by code and model, the most frequent first. */
  failures(query?: FailureQuery): Promise<readonly FailureSum[]>
}

export type StoredCostSplit = Omit<CostSplit, 'inputNano' | 'savedNano'>

/** What a store returns of the parts of a cost; see {@link StoredRequest}. */
export const storedCostSplit = (
  costState: CostState,
  { cacheReadNano, cacheWriteNano, outputNano }: StoredCostSplit,
): { readonly costSplit?: StoredCostSplit } =>
  costState === 'computed' && cacheReadNano + cacheWriteNano + outputNano > 0n
    ? { costSplit: { cacheReadNano, cacheWriteNano, outputNano } }
    : {}

export interface StoredRequest extends TokenUsage {
  readonly at: number | null
  readonly model: string
  readonly provider: string | null
  readonly mode: string | null
  readonly subagent: string | null
  readonly workspace: string | null
  readonly costNano: NanoUsd | null
  readonly costState: CostState
  /** Parts of a computed cost; what is left was paid for uncached input. Absent: not known, or all of them are 0. */
  readonly costSplit?: StoredCostSplit
  readonly partial: boolean
  /** What its missing output must have cost; an estimate, in no cost. */
  readonly missingOutputCostNano: NanoUsd
  /** Absent: not measured. */
  readonly attempt?: number
  readonly latency?: RequestLatency
}
