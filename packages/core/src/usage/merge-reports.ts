/**
 * Several reports of one request become one. Transcripts repeat a request (a line a block, progress
 * lines, forks that replay their parent); whatever the order in which the reports come in, and however
 * they are split into batches, the result is the same: the merge is commutative and associative.
 */
import { pickTokens, tokenCount, TOKEN_CLASSES } from '../ports/price-book.ts'
import type { RequestFact } from '../ports/usage-storage.ts'

/** One report of a request, from one position in a transcript. */
export interface RequestReport {
  readonly sessionId: string
  readonly fact: RequestFact
  /** Characters of the reply in entries that this report brought and the log did not hold yet. */
  readonly visibleCharacters: number
}

const COST_RANK = { recorded: 2, computed: 1, unpriced: 0 } as const

const INPUT_CLASSES = TOKEN_CLASSES.filter((tokenClass) => tokenClass.isInput)

/** Compared entry by entry, as versions are. */
type Rank = readonly (number | bigint | string)[]

/** The larger output counts; the rest only makes the choice independent of the order. */
const numbersRank = (fact: RequestFact): Rank => [
  fact.outputTokens,
  COST_RANK[fact.costState],
  ...INPUT_CLASSES.map(({ field }) => tokenCount(fact, field)),
  fact.reasoningTokens ?? -1,
  fact.costNano ?? -1n,
  fact.costSplit?.savedNano ?? 0n,
  fact.costSplit?.outputNano ?? 0n,
  fact.outputRate ?? 0n,
  fact.latency?.totalMs ?? -1,
  fact.latency?.firstTokenMs ?? -1,
  fact.attempt ?? 0,
  fact.model,
  fact.provider ?? '',
]

const MISSING = '\uffff'

/** The earliest known time owns the request, then the smaller session id. */
const ownerRank = ({ fact, sessionId }: RequestReport): Rank => [
  fact.at ?? Number.POSITIVE_INFINITY,
  sessionId,
  fact.subagent ?? MISSING,
  fact.workspace ?? MISSING,
  fact.branch ?? MISSING,
  fact.mode ?? MISSING,
]

/** The order of ranks, value by value; equal ones are not before each other. */
const isBefore = (left: Rank, right: Rank): boolean => {
  for (const [index, value] of left.entries()) {
    const other = right[index]
    if (other !== undefined && value !== other) return value < other
  }
  return false
}

/** The tokens, the cost and the model that it was computed for: they belong together. */
const costFields = (fact: RequestFact) => ({
  callId: fact.callId,
  model: fact.model,
  ...pickTokens(fact),
  costNano: fact.costNano,
  costState: fact.costState,
  ...(fact.costSplit === undefined ? {} : { costSplit: fact.costSplit }),
  ...(fact.outputRate === undefined ? {} : { outputRate: fact.outputRate }),
  ...(fact.latency === undefined ? {} : { latency: fact.latency }),
  ...(fact.attempt === undefined ? {} : { attempt: fact.attempt }),
  ...(fact.provider === undefined ? {} : { provider: fact.provider }),
})

const attributionFields = (fact: RequestFact) => ({
  at: fact.at,
  ...(fact.mode === undefined ? {} : { mode: fact.mode }),
  ...(fact.subagent === undefined ? {} : { subagent: fact.subagent }),
  ...(fact.workspace === undefined ? {} : { workspace: fact.workspace }),
  ...(fact.branch === undefined ? {} : { branch: fact.branch }),
})

/**
 * Two reports of the same request as one: tokens, cost and model of the one with the larger output;
 * session, time, workspace, branch, mode and subagent of the earlier one (of equal times, the smaller
 * session id; an unknown time is the latest); visible characters add up.
 */
export const mergeReports = (left: RequestReport, right: RequestReport): RequestReport => {
  const numbers = isBefore(numbersRank(left.fact), numbersRank(right.fact)) ? right : left
  const owner = isBefore(ownerRank(right), ownerRank(left)) ? right : left
  return {
    sessionId: owner.sessionId,
    fact: { ...costFields(numbers.fact), ...attributionFields(owner.fact) },
    visibleCharacters: left.visibleCharacters + right.visibleCharacters,
  }
}

/**
 * Two copies of one request, from two stores or the same one twice, as one: like {@link mergeReports}, but a copy brings no
 * characters of its own, so that the same copy again changes nothing.
 */
export const mergeCopies = (left: RequestReport, right: RequestReport): RequestReport => ({
  ...mergeReports(left, right),
  visibleCharacters: Math.max(left.visibleCharacters, right.visibleCharacters),
})
