/** Totals of usage: adding requests and rows, and ratios about caching. */
import type { NanoUsd } from '../money.ts'
import {
  mapTokens,
  tokenCount,
  TOKEN_CLASSES,
  type CostSplit,
  type TokenClass,
  type TokenUsage,
} from '../ports/price-book.ts'
import {
  isPartial,
  missingOutputCostNano,
  missingOutputTokens,
  type CostState,
  type RequestLatency,
  type UsageTotals,
} from '../ports/usage-storage.ts'

/** What a request adds to a total. */
export interface CountedRequest extends TokenUsage {
  readonly costNano: NanoUsd | null
  readonly costState: CostState
  readonly costSplit?: Omit<CostSplit, 'inputNano'>
  readonly outputRate?: bigint
  readonly latency?: RequestLatency
  /** Characters of its reply in the log. */
  readonly visibleCharacters: number
}

/** The totals of no requests. */
export const emptyTotals: UsageTotals = {
  requests: 0,
  ...mapTokens(() => 0),
  costNano: 0n,
  recordedCostNano: 0n,
  cacheReadCostNano: 0n,
  cacheWriteCostNano: 0n,
  outputCostNano: 0n,
  savedNano: 0n,
  unpricedRequests: 0,
  partialRequests: 0,
  missingOutputTokens: 0,
  missingOutputCostNano: 0n,
  timedRequests: 0,
  firstTokenMs: 0,
  totalMs: 0,
}

/**
 * The totals of a single request, to be combined with {@link addTotals}. A request without a cost adds 0 and counts as
 * unpriced.
 */
export const totalsOfRequest = (request: CountedRequest): UsageTotals => ({
  requests: 1,
  ...mapTokens((field) => tokenCount(request, field)),
  costNano: request.costNano ?? 0n,
  recordedCostNano: request.costState === 'recorded' ? (request.costNano ?? 0n) : 0n,
  cacheReadCostNano: request.costSplit?.cacheReadNano ?? 0n,
  cacheWriteCostNano: request.costSplit?.cacheWriteNano ?? 0n,
  outputCostNano: request.costSplit?.outputNano ?? 0n,
  savedNano: request.costSplit?.savedNano ?? 0n,
  unpricedRequests: request.costNano === null ? 1 : 0,
  partialRequests: isPartial(request.outputTokens, request.visibleCharacters) ? 1 : 0,
  missingOutputTokens: missingOutputTokens(request.outputTokens, request.visibleCharacters),
  missingOutputCostNano: missingOutputCostNano(request, request.visibleCharacters),
  ...latencySums(request.latency),
})

/** A request's latency as sums; all 0 if it was not measured. */
const latencySums = (
  latency: RequestLatency | undefined,
): Pick<UsageTotals, 'timedRequests' | 'firstTokenMs' | 'totalMs'> => ({
  timedRequests: latency === undefined ? 0 : 1,
  firstTokenMs: 0,
  totalMs: 0,
  ...latency,
})

type CountField = { [Field in keyof UsageTotals]: UsageTotals[Field] extends number ? Field : never }[keyof UsageTotals]
type MoneyField = Exclude<keyof UsageTotals, CountField>

const FIELDS = Object.keys(emptyTotals) as (keyof UsageTotals)[]
const isCount = (field: keyof UsageTotals): field is CountField => typeof emptyTotals[field] === 'number'
const COUNT_FIELDS = FIELDS.filter(isCount)
const MONEY_FIELDS = FIELDS.filter((field): field is MoneyField => !isCount(field))

/**
 * Adds two totals field by field, returning a new object with no other fields; money is added exactly. Called for each row
 * of large reports.
 */
export const addTotals = (left: UsageTotals, right: UsageTotals): UsageTotals => {
  const sum: { -readonly [Field in keyof UsageTotals]: UsageTotals[Field] } = { ...emptyTotals }
  for (const field of COUNT_FIELDS) sum[field] = left[field] + right[field]
  for (const field of MONEY_FIELDS) sum[field] = left[field] + right[field]
  return sum
}

const INPUT_CLASSES = TOKEN_CLASSES.filter((tokenClass) => tokenClass.isInput)
type InputField = Extract<TokenClass, { readonly isInput: true }>['field']
type InputTokens = Pick<TokenUsage, InputField>

/** All input tokens of a request or total, cached or not; the classes are disjoint. */
export const allInputTokens = (usage: InputTokens): number =>
  INPUT_CLASSES.reduce((sum, { field }) => sum + tokenCount(usage, field), 0)

/** Whether a request has output but no recorded input, so that its cost can't be computed. */
export const isInputUnknown = (usage: InputTokens & Pick<TokenUsage, 'outputTokens'>): boolean =>
  usage.outputTokens > 0 && allInputTokens(usage) === 0

/** The share (0 … 1) of all input that came from the provider's cache; undefined without input. */
export const cacheHitRatio = (usage: InputTokens): number | undefined => {
  const all = allInputTokens(usage)
  return all === 0 ? undefined : usage.cacheReadTokens / all
}
