/** What changed the context of the main conversation between its requests, and what that cost. */
import type { NanoUsd } from '../money.ts'
import type { LoggedChange } from './outline-log.ts'
import type { OutlineMark } from './outline.ts'
import type { PricedRequest } from './request-prices.ts'
import { rewritesOf } from './rewrites.ts'

/** A request of the main conversation; `seq` is the first entry of its reply. */
export interface MarkedRequest extends PricedRequest {
  readonly seq: number | null
}

/**
 * The index of the first request after an entry, or their number if none came after it: by the entries of replies, and
 * by time for the requests between whose replies are not known.
 */
const requestsAfter = (requests: readonly MarkedRequest[]): ((change: LoggedChange) => number) => {
  const known = requests.flatMap(({ seq }, index) => (seq === null ? [] : [{ seq, index }]))
  /** The largest entry of a reply up to each known one, so that it only rises. */
  let largest = -1
  const seqs = known.map(({ seq }) => (largest = Math.max(largest, seq)))
  return ({ seq, at }) => {
    let [low, high] = [0, seqs.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((seqs[middle] ?? Infinity) < seq) low = middle + 1
      else high = middle
    }
    let index = (known[low - 1]?.index ?? -1) + 1
    const end = known[low]?.index ?? requests.length
    while (index < end && at !== null && isBefore(requests[index], at)) index += 1
    return index
  }
}

const isBefore = (request: MarkedRequest | undefined, at: number): boolean =>
  request !== undefined && request.stored.at !== null && request.stored.at < at

/**
 * Tokens in the context before and after a change that takes something out of it at once; null where not known, and for
 * other changes.
 */
const sizesAround = (
  { kind, tokensBefore }: LoggedChange,
  before: MarkedRequest | undefined,
  after: MarkedRequest | undefined,
): Pick<OutlineMark, 'tokensBefore' | 'tokensAfter'> =>
  kind === 'compaction' || kind === 'cleared-results'
    ? { tokensBefore: tokensBefore ?? before?.input ?? null, tokensAfter: after?.input ?? null }
    : { tokensBefore: null, tokensAfter: null }

/**
 * All marks of a chain, in the order of the requests before which they stand (`before`: an index of `requests`): every
 * change of the log, every change of model, and each lost cache that neither explains (`pause` or `cache-break`). What
 * was written again is told once: at the first change of the log before a request, else at the mark of its own.
 */
export const outlineMarks = (
  requests: readonly MarkedRequest[],
  changes: readonly LoggedChange[],
): readonly OutlineMark[] => {
  const after = requestsAfter(requests)
  const positioned = changes.map((change) => ({ change, before: after(change) }))
  const compactedBefore = new Set(
    positioned.flatMap(({ change, before }) => (change.kind === 'compaction' ? [before] : [])),
  )
  const rewrites = rewritesOf({ requests, compactedBefore })
  const nanoOf = (premium: number): NanoUsd => BigInt(Math.max(0, Math.round(premium)))
  const changedAt = new Set(positioned.map(({ before }) => before))
  const ofLog = positioned.map(({ change, before }): OutlineMark => {
    const { kind, seq, at, about } = change
    const rewrite = rewrites[before]
    const isFirst = positioned.find((other) => other.before === before)?.change.seq === seq
    const isBroken = isFirst && rewrite !== undefined && rewrite.cause !== 'none'
    return {
      ...{ kind, before, seq, at, about, pauseMs: null },
      rewrittenTokens: isBroken ? rewrite.tokens : 0,
      rewrittenNano: isBroken ? nanoOf(rewrite.premium) : 0n,
      ...sizesAround(change, requests[before - 1], requests[before]),
    }
  })
  const ofRequests = requests.flatMap((request, before): readonly OutlineMark[] => {
    const previous = requests[before - 1]
    const rewrite = rewrites[before]
    if (previous === undefined || rewrite === undefined) return []
    const { at, model } = request.stored
    const base = { before, seq: request.seq, at, pauseMs: null, tokensBefore: null, tokensAfter: null }
    const isLost = rewrite.cause !== 'none' && !changedAt.has(before)
    const lost = {
      rewrittenTokens: isLost ? rewrite.tokens : 0,
      rewrittenNano: isLost ? nanoOf(rewrite.premium) : 0n,
    }
    if (previous.stored.model !== model) return [{ ...base, ...lost, kind: 'model', about: model }]
    if (!isLost) return []
    const pauseMs = rewrite.cause === 'pause' && at !== null ? at - (previous.stored.at ?? at) : null
    return [{ ...base, ...lost, pauseMs, kind: rewrite.cause === 'pause' ? 'pause' : 'cache-break', about: '' }]
  })
  return [...ofLog, ...ofRequests].sort((left, right) => left.before - right.before)
}
