/**
 * Merges several reports of one request. Transcripts repeat requests (one line per block, progress lines, forks that
 * replay their parent). The merge is commutative and associative, so the result does not depend on the order of reports
 * or on how they are split into batches.
 */
import { pickTokens, tokenCount, TOKEN_CLASSES } from '../ports/price-book.ts'
import type { RequestFact } from '../ports/usage-storage.ts'

/** One report of a request, from one position in a transcript. */
export interface RequestReport {
  readonly sessionId: string
  readonly fact: RequestFact
  /** Characters of the reply in entries of this report that the log did not have yet. */
  readonly visibleCharacters: number
}

const COST_RANK = { recorded: 2, computed: 1, unpriced: 0 } as const

const INPUT_CLASSES = TOKEN_CLASSES.filter((tokenClass) => tokenClass.isInput)

/** Compared value by value, like versions. */
type Rank = readonly (number | bigint | string)[]

/** Ranks a report's numbers. The larger output wins; the other values only make the choice independent of the order. */
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

/** Ranks a report's owner. The earliest known time owns the request, then the smaller session id. */
const ownerRank = ({ fact, sessionId }: RequestReport): Rank => [
  fact.at ?? Number.POSITIVE_INFINITY,
  sessionId,
  fact.subagent ?? MISSING,
  fact.workspace ?? MISSING,
  fact.branch ?? MISSING,
  fact.mode ?? MISSING,
]

/** Compares ranks value by value; false if they are equal. */
const isBefore = (left: Rank, right: Rank): boolean => {
  for (const [index, value] of left.entries()) {
    const other = right[index]
    if (other !== undefined && value !== other) return value < other
  }
  return false
}

/** The tokens, the cost, and the model for which it was computed; they belong together. */
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

/** When, where and by whom a request was made; unknown fields are left out. */
const attributionFields = (fact: RequestFact) => ({
  at: fact.at,
  ...(fact.mode === undefined ? {} : { mode: fact.mode }),
  ...(fact.subagent === undefined ? {} : { subagent: fact.subagent }),
  ...(fact.workspace === undefined ? {} : { workspace: fact.workspace }),
  ...(fact.branch === undefined ? {} : { branch: fact.branch }),
})

/**
 * Merges two reports of one request, in either order with the same result: tokens, cost, model, provider and latency
 * from the one with the larger output (for equal outputs, a recorded cost before a computed one before none, then the
 * larger input); session, time, workspace, branch, mode and subagent from the earlier one (for equal times, the smaller
 * session id; an unknown time is the latest); visible characters are added.
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
 * Merges two copies of one request, from two stores or the same one twice. Like {@link mergeReports}, except that a
 * copy adds no characters, so merging the same copy again changes nothing.
 */
export const mergeCopies = (left: RequestReport, right: RequestReport): RequestReport => ({
  ...mergeReports(left, right),
  visibleCharacters: Math.max(left.visibleCharacters, right.visibleCharacters),
})
