/** Leaks of many sessions in one report. */
import type { UsageTotals } from '../ports/usage-storage.ts'
import { LEAKS, type Leak, type LeakExample, type LeakKind, type LeakQuery, type LeakReport } from './leaks.ts'
import { isMeant } from './project-filter.ts'
import { EXAMPLES, type LeakRequest, type SessionLeaks } from './session-leaks.ts'

interface Sum {
  nano: number
  requests: number
  examples: LeakExample[]
}

/**
 * Adds up leaks over the sessions that `add` is given one after the other; only requests that the query asks for
 * count. `report` may be called at any time, and gives every kind, also those that cost nothing.
 */
export const createLeakReport = (query: LeakQuery) => {
  const sums = new Map<LeakKind, Sum>(LEAKS.map(({ kind }) => [kind, { nano: 0, requests: 0, examples: [] }]))
  return {
    add: (sessionId: string, { requests, leaks }: SessionLeaks): void => {
      const isAsked = requests.map((request) => isIn(request, query))
      for (const { kind, paid, dearest } of leaks) {
        const sum = sums.get(kind)
        if (sum === undefined) continue
        for (const [index, nano] of paid) {
          if (isAsked[index] !== true) continue
          sum.nano += nano
          sum.requests += 1
        }
        for (const [index, nano] of dearest) {
          const request = requests[index]
          if (request === undefined || isAsked[index] !== true) continue
          const { at, number, seq } = request
          sum.examples.push({ sessionId, at, request: number, seq, costNano: BigInt(nano) })
        }
        // Only the dearest of all sessions are shown.
        if (sum.examples.length > 4 * EXAMPLES) sum.examples = dearestOf(sum.examples)
      }
    },
    /** The report so far, beside what all requests that are asked for cost. */
    report: (total: UsageTotals): LeakReport => {
      const cost = Number(total.costNano)
      const all = LEAKS.map(({ kind, title, view, certainty, advice }): Leak => {
        const { nano, requests, examples } = sums.get(kind) ?? { nano: 0, requests: 0, examples: [] }
        return {
          kind,
          title,
          view,
          costNano: BigInt(nano),
          share: cost > 0 ? nano / cost : 0,
          certainty,
          requests,
          advice,
          examples: dearestOf(examples),
        }
      })
      const leaks = all.toSorted(
        (left, right) => Number(left.view) - Number(right.view) || Number(right.costNano - left.costNano),
      )
      const leakedNano = leaks.reduce((sum, { view, costNano }) => (view ? sum : sum + costNano), 0n)
      return { total, leaks, leakedNano }
    },
  }
}

const dearestOf = (examples: readonly LeakExample[]): LeakExample[] =>
  examples.toSorted((left, right) => Number(right.costNano - left.costNano)).slice(0, EXAMPLES)

/** Whether a request is one of those that are asked for, as usage tells it: without a time it is in no range. */
const isIn = ({ at, workspace }: LeakRequest, { since, until, ...query }: LeakQuery): boolean => {
  if (since !== undefined && (at === null || at < since)) return false
  if (until !== undefined && (at === null || at >= until)) return false
  return isMeant(workspace, query)
}
