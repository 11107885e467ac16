/** Leaks of how a conversation is led: pauses, changes in between, what is sent with every request, long contexts. */
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import { breakCauseOf } from './break-signs.ts'
import { createCarry } from './carry.ts'
import { tokensIn, type Chain, type ChainRequest, type ChainResult } from './chains.ts'
import { leakByChain, leakByRequest, type Finding, type FoundLeak } from './finding.ts'
import { roundTrip } from './result-leaks.ts'
import type { Rewrite, RewriteCause } from './rewrites.ts'

/** Tokens; from here on a context is long. */
const LONG_CONTEXT = 100_000
/** What a user's text begins with where a request was cut off. */
const INTERRUPTED = /^\s*(?:\[Request interrupted by user|<turn_aborted>)/

/**
 * The leaks that are told by requests, texts of the user and compactions alone, one of each kind, also where it cost
 * nothing. Costs are in nano-USD, by the requests' index.
 */
export const contextLeaks = (
  chain: Chain,
  segments: readonly number[],
  rewrites: readonly Rewrite[],
): readonly FoundLeak[] => {
  const { requests, subagent } = chain
  const premiumOf = (cause: RewriteCause) => (request: ChainRequest) => {
    const rewrite = rewrites[request.index]
    return rewrite?.cause === cause ? rewrite.premium : 0
  }
  const interrupted = new Set(
    chain.userTexts.filter(({ text }) => INTERRUPTED.test(text)).map(({ sentWith }) => sentWith - 1),
  )
  return [
    leakByRequest('pause', requests, premiumOf('pause')),
    { ...leakByRequest('cache-break', requests, premiumOf('other')), causes: requests.map(breakCauseOf(chain)) },
    prefixLeak(chain),
    leakByChain('long-context', requests, ({ input, readPrice }) => Math.max(0, input - LONG_CONTEXT) * readPrice),
    compactionLeak(chain, segments, rewrites),
    leakByChain('subagents', requests, ({ cost }) => (subagent === null ? 0 : cost)),
    leakByRequest('interrupted', requests, (request) =>
      interrupted.has(request.index) ? request.cost - (rewrites[request.index]?.premium ?? 0) : 0,
    ),
    leakByChain('missing-output', requests, ({ stored }) => Number(stored.missingOutputCostNano)),
  ]
}

/**
 * What the agent itself sends with every request (its prompt, tools, instruction files, memory): the first input less
 * the user's text before it. Its unread part is written, and each later request reads it.
 */
const prefixLeak = ({ requests, userTexts }: Chain): FoundLeak => {
  const first = requests.find(({ readPrice }) => readPrice > 0)
  if (first === undefined) return leakByChain('prefix', requests, () => 0)
  const characters = userTexts
    .filter(({ sentWith }) => sentWith <= first.index)
    .reduce((sum, { text }) => sum + text.length, 0)
  const prefix = Math.max(0, first.input - tokensIn(characters))
  return leakByChain('prefix', requests, ({ index, input, readPrice, unreadPrice, stored }) => {
    if (index < first.index) return 0
    return index === first.index
      ? Math.max(0, prefix - stored.cacheReadTokens) * unreadPrice
      : Math.min(prefix, input) * readPrice
  })
}

/** Requests after a compaction in which reads of files known before are put down to it. */
const READ_AGAIN_WITHIN = 30

/**
 * What compactions cost: the unread input of the first request after each; and, of the calls of the next 30 requests,
 * reads of files that had been read before it, with what they carry. The request that made the summary is recorded by
 * no agent, and not in it.
 */
const compactionLeak = (chain: Chain, segments: readonly number[], rewrites: readonly Rewrite[]): FoundLeak => {
  const { requests, results, compactedBefore } = chain
  const carry = createCarry(
    requests,
    segments,
    requests.map(() => 1),
  )
  const trips = requests.map(() => 0)
  const findings: Finding[] = []
  for (const index of compactedBefore) {
    const first = requests[index]
    if (first === undefined || index === 0) continue
    const written = first.unread * first.unreadPrice
    trips[index] = (trips[index] ?? 0) + written
    const known = new Set(results.filter(({ calledBy }) => calledBy < index).flatMap(pathsRead))
    let cost = written
    for (const result of results) {
      const caller = requests[result.calledBy]
      const isNear = result.calledBy >= index && result.calledBy < index + READ_AGAIN_WITHIN
      if (!isNear || caller === undefined || segments[result.calledBy] !== segments[index]) continue
      if (!pathsRead(result).some((path) => known.has(path))) continue
      const trip = roundTrip(caller, rewrites)
      trips[result.calledBy] = (trips[result.calledBy] ?? 0) + trip
      cost += trip + carry.from(result.sentWith, result.tokens)
    }
    if (cost > 0) findings.push({ request: first, cost })
  }
  return { kind: 'compaction', paid: carry.paid().map((paid, index) => paid + (trips[index] ?? 0)), findings }
}

const pathsRead = ({ call }: ChainResult): readonly string[] =>
  fileOperationsOf(call).flatMap(({ path, operation }) => (operation === 'read' ? [path] : []))
