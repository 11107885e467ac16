/**
 * Usage as a fact table with one row per request. Rollups are derived from the rows in the same transaction, so all
 * views add up the same facts, and all totals agree to the last digit.
 */
import type { NanoUsd } from '../money.ts'
import type { CostSplit, TokenSums, TokenUsage } from './price-book.ts'

/**
 * `recorded`: the transcript contains the cost. `computed`: from the price book. `unpriced`: unknown, so there is none.
 */
export type CostState = 'recorded' | 'computed' | 'unpriced'

/**
 * One request to a model. Sources repeat requests (one line per block, progress lines, forks that replay their parent);
 * `callId` identifies repetitions. Of several reports, the largest output counts, and the request belongs to the
 * session where it was seen first.
 */
export interface RequestFact extends TokenUsage {
  /** Unique within the agent. */
  readonly callId: string
  readonly at: number | null
  readonly model: string
  readonly provider?: string
  /** `plan`, `act`, or the agent's own name for its mode. */
  readonly mode?: string
  /** Who made it outside the main conversation: a subagent, or Cairn for a summary; absent: the main conversation. */
  readonly subagent?: string
  /** The folder in which it was made; absent: that of its session. */
  readonly workspace?: string
  readonly branch?: string
  readonly costNano: NanoUsd | null
  readonly costState: CostState
  /** Parts of a computed cost; for a recorded one, only what caching saved by the price list. Absent: unknown. */
  readonly costSplit?: Omit<CostSplit, 'inputNano'>
  /** The number of the successful attempt, from 1; absent: unknown. */
  readonly attempt?: number
  /**
   * Time from sending the request until its first token and until its end, ms. Absent: not measured, as in all imports.
   */
  readonly latency?: RequestLatency
  /** Price of an output token, femto-USD (10⁻¹⁵), for pricing output that was not recorded. Absent: unknown. */
  readonly outputRate?: bigint
}

/** How long a request took, ms. */
export interface RequestLatency {
  /** Time until the first token of the reply; at most `totalMs`. */
  readonly firstTokenMs: number
  readonly totalMs: number
}

/** A request that failed and was not charged: it is in no total of requests, tokens or costs. */
export interface RequestFailure {
  /** Unique within the session. */
  readonly id: string
  readonly at: number
  readonly model: string
  readonly provider?: string
  readonly mode?: string
  /** The code of an error, such as `rate-limit`. */
  readonly code: string
  /** From 1. */
  readonly attempt: number
  /** Time until it failed, ms. */
  readonly totalMs: number
}

/** Number of failed requests with one code and model. */
export interface FailureSum {
  readonly code: string
  readonly model: string
  readonly provider: string | null
  readonly failures: number
  /** Time of the newest one, ms. */
  readonly lastAt: number
}

/**
 * Which failed requests to count: in a time range (ms; `since` inclusive, `until` exclusive), of a session. Default:
 * all.
 */
export interface FailureQuery {
  readonly since?: number
  readonly until?: number
  readonly sessionId?: string
}

/**
 * Defines when a reply is partial, in whole numbers, so that the SQL generated from it agrees with TypeScript to the
 * last digit. On real Claude sessions, a token has 2.7 characters.
 */
export const partialReply = {
  /** Tenths of a character per token. */
  tenthsPerToken: 27,
  /** A reply is partial if this multiple of its recorded output is still less than its visible characters need. */
  timesOutput: 2,
} as const

/**
 * Whether a reply is partial: its recorded output (tokens) is less than half of what its visible characters need. False
 * without characters.
 */
export const isPartial = (outputTokens: number, visibleCharacters: number): boolean =>
  outputTokens * partialReply.timesOutput * partialReply.tenthsPerToken < visibleCharacters * 10

/** Output tokens that a partial reply must have had in addition to the recorded ones; 0 if it is not partial. */
export const missingOutputTokens = (outputTokens: number, visibleCharacters: number): number =>
  isPartial(outputTokens, visibleCharacters) ? tokensOfCharacters(visibleCharacters) - outputTokens : 0

/**
 * Cost of a request's missing output, rounded to whole nano-USD; 0 without a price, and for a reply that is not
 * partial. An estimate that is in no cost.
 */
export const missingOutputCostNano = (
  { outputTokens, costState, outputRate = 0n }: Pick<RequestFact, 'outputTokens' | 'costState' | 'outputRate'>,
  visibleCharacters: number,
): NanoUsd =>
  costState === 'unpriced'
    ? 0n
    : (BigInt(missingOutputTokens(outputTokens, visibleCharacters)) * outputRate + FEMTO_PER_NANO / 2n) / FEMTO_PER_NANO

const FEMTO_PER_NANO = 1_000_000n

/** Tokens of a text with this many characters, rounded up, as measured on real Claude sessions. */
export const tokensOfCharacters = (characters: number): number =>
  Math.ceil((characters * 10) / partialReply.tenthsPerToken)

/**
 * The groupings of usage: time spans, and what a request belongs to. This is the only list of them. A project is one or
 * more workspaces; person and machine are those from which its session came, in a team's store.
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

/** Whether rows are time spans (days, months and the like), which are ordered by time. */
export const isUsagePeriod = (by: UsageGrouping): by is UsagePeriod => USAGE_PERIODS.some((period) => period === by)

export interface UsageQuery {
  readonly by: UsageGrouping
  /** At or after this time, ms. */
  readonly since?: number
  /** Before this time, ms. */
  readonly until?: number
  /** IANA name; determines where days, weeks (from Monday) and months start. Default UTC. */
  readonly timeZone?: string
  /** Only rows that match; a workspace by path or name, a project also by the path of a folder in it. */
  readonly filter?: Readonly<Partial<Record<UsageDimension, string>>>
  /** Only requests made in exactly one of these folders, by path; none of them for an empty list. */
  readonly workspaces?: readonly string[]
  /** Maximum number of rows, most expensive first (for periods: latest). The total always covers all. */
  readonly limit?: number
}

/** Sums over requests; the tokens by class. */
export interface UsageTotals extends TokenSums {
  readonly requests: number
  /** Cost of the priced requests. */
  readonly costNano: NanoUsd
  /** The part of `costNano` recorded by transcripts; it is not split by class. */
  readonly recordedCostNano: NanoUsd
  readonly cacheReadCostNano: NanoUsd
  readonly cacheWriteCostNano: NanoUsd
  /** The rest of the computed cost is uncached input. */
  readonly outputCostNano: NanoUsd
  /** What caching saved, by the price list. */
  readonly savedNano: NanoUsd
  readonly unpricedRequests: number
  readonly partialRequests: number
  /**
   * Output tokens that partial replies must have had in addition to the recorded ones; an estimate, in no other figure.
   */
  readonly missingOutputTokens: number
  /**
   * Cost of these tokens at their models' output prices, excluding models without a price. An estimate, in no other
   * figure.
   */
  readonly missingOutputCostNano: NanoUsd
  /** Requests whose latency was measured. */
  readonly timedRequests: number
  /** For those, the sums of all times until the first token and until the end, ms. */
  readonly firstTokenMs: number
  readonly totalMs: number
}

export interface UsageRow extends UsageTotals {
  /** A day `2026-01-31`, week `2026-W05`, month `2026-01`, or the dimension's value (`unknown` if none). */
  readonly key: string
}

export interface UsageReport {
  /** Periods ordered by time; others by cost, then requests, most expensive first. */
  readonly rows: readonly UsageRow[]
  readonly total: UsageTotals
}

/** The cost of one project, model or session before and now. */
export interface Mover {
  readonly key: string
  readonly beforeNano: NanoUsd
  readonly nowNano: NanoUsd
  /** `nowNano` minus `beforeNano`. */
  readonly changeNano: NanoUsd
}

/** All movers and the others add up to the change, to the nano-USD. */
export interface Movers {
  /** Largest change first, whether up or down. */
  readonly movers: readonly Mover[]
  /** Everything that is not among the movers. */
  readonly others: { readonly count: number; readonly changeNano: NanoUsd }
}

/** Two time spans (ms; `since` inclusive, `until` exclusive), and which requests. */
export interface MoversQuery {
  readonly now: { readonly since: number; readonly until?: number }
  readonly before: { readonly since: number; readonly until: number }
  readonly filter?: UsageQuery['filter']
  /** Only requests made in exactly one of these folders, by path; none of them for an empty list. */
  readonly workspaces?: readonly string[]
  /** Maximum number of movers. */
  readonly limit: number
}

/** Which requests to sum by provider. */
export interface ProviderSumsQuery {
  /** At or after this time, ms. */
  readonly since?: number
  /** Before this time, ms. */
  readonly until?: number
  readonly filter?: NonNullable<UsageQuery['filter']>
  /** Only requests made in exactly one of these folders, by path; none of them for an empty list. */
  readonly workspaces?: readonly string[]
  /** Times (ms, ascending, at most {@link MOST_BOUNDARIES}) at which other sums begin. */
  readonly boundaries: readonly number[]
}

/** A query can't cut time more often. */
export const MOST_BOUNDARIES = 500

/** Requests that agree in all that tells their provider, and in who made them where. */
export interface ProviderSum {
  /** Number of boundaries at or before the requests; null for requests without a time. */
  readonly span: number | null
  /** As the agent recorded it. */
  readonly provider: string | null
  readonly agent: string
  readonly model: string
  readonly workspace: string | null
  /** In a team's store; null in a user's own. */
  readonly person: string | null
  readonly machine: string | null
  readonly requests: number
  readonly costNano: NanoUsd
  readonly unpricedRequests: number
}

/** Which requests of subagents to sum. */
export type SubagentSumsQuery = Pick<UsageQuery, 'since' | 'until' | 'filter' | 'workspaces'>

/** What the subagents of a session used, together. */
export interface SubagentSum {
  readonly sessionId: string
  /** How many made a request; at least 1. */
  readonly subagents: number
  readonly requests: number
  readonly costNano: NanoUsd
  readonly unpricedRequests: number
}

/** Which requests of a session to read. */
export interface RequestRange {
  /** Only this many, from the end; at least 1. Default all. */
  readonly last?: number
}

export interface UsageStorage {
  /**
   * Totals of the requests that match the query, by row and overall; without any, no rows and zeros. Rejects with
   * `invalid-input` for an invalid query.
   */
  report(query: UsageQuery): Promise<UsageReport>
  /**
   * The sessions whose cost changed most between two time spans, with the number and total change of the others. The
   * result equals that of two reports by session, without reading all their rows. Rejects as `report` does.
   */
  sessionMovers(query: MoversQuery): Promise<Movers>
  /**
   * Sums of the requests that match, one for each that differs in anything but its figures; their order is not defined.
   * They add up to the total of a report. Reads the requests themselves, as no rollup knows their provider. Rejects as
   * `report` does.
   */
  providerSums(query: ProviderSumsQuery): Promise<readonly ProviderSum[]>
  /**
   * What subagents used, by session, in no defined order; sessions without any are left out. It is part of what a report
   * by session sums for the same query. Reads the requests themselves, as no rollup knows subagents: without a filter by
   * session, time grows with all requests. Rejects as `report` does.
   */
  subagentSums(query: SubagentSumsQuery): Promise<readonly SubagentSum[]>
  /**
   * The requests of a session, ordered by time (those without one last): all, or the last ones. Empty for a session
   * without any, or an unknown one.
   */
  requests(sessionId: string, range?: RequestRange): Promise<readonly StoredRequest[]>
  /**
   * Stores a failed request of a session, once per id: one that is known stays as it is. On disk when the promise
   * resolves. Rejects with `not-found` for an unknown session.
   */
  addFailure(sessionId: string, failure: RequestFailure): Promise<void>
  /** Failed requests by code and model, most frequent first. */
  failures(query?: FailureQuery): Promise<readonly FailureSum[]>
}

export type StoredCostSplit = Omit<CostSplit, 'inputNano' | 'savedNano'>

/**
 * The parts of a cost as a field of {@link StoredRequest}; no field for a cost that was not computed, and if all parts
 * are 0.
 */
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
  /** Parts of a computed cost; the rest is uncached input. Absent: unknown, or all of them are 0. */
  readonly costSplit?: StoredCostSplit
  readonly partial: boolean
  /** Cost of its missing output; an estimate that is in no cost. */
  readonly missingOutputCostNano: NanoUsd
  /** Absent: not measured. */
  readonly attempt?: number
  readonly latency?: RequestLatency
}
