/** Leaks of many sessions in one report. */
import type { UsageTotals } from '../ports/usage-storage.ts'
import { BREAK_CAUSES, type BreakCause } from './break-causes.ts'
import {
  LEAKS,
  type Leak,
  type LeakCause,
  type LeakExample,
  type LeakKind,
  type LeakQuery,
  type LeakReport,
} from './leaks.ts'
import { isMeant } from './project-filter.ts'
import { EXAMPLES, type LeakRequest, type SessionLeak, type SessionLeaks } from './session-leaks.ts'

interface Sum {
  nano: number
  requests: number
  examples: LeakExample[]
}

interface KindSum extends Sum {
  readonly causes: Map<BreakCause, Sum>
}

const noSum = (): Sum => ({ nano: 0, requests: 0, examples: [] })

/**
 * Adds up leaks over the sessions that `add` is given one after the other; only requests that the query asks for count.
 * `report` may be called at any time, and gives every kind, also those that cost nothing; see there for their order.
 */
export const createLeakReport = (query: LeakQuery) => {
  const sums = new Map<LeakKind, KindSum>(LEAKS.map(({ kind }) => [kind, { ...noSum(), causes: new Map() }]))
  return {
    /**
     * Adds a session's leaks to the sums; only what requests that are asked for paid. The dearest become examples, also
     * of their causes.
     */
    add: (sessionId: string, { requests, leaks }: SessionLeaks): void => {
      const isAsked = requests.map((request) => isIn(request, query))
      for (const leak of leaks) {
        const sum = sums.get(leak.kind)
        if (sum === undefined) continue
        const causeOf = addPaid(sum, leak, isAsked)
        /** A request as an example of what was lost at it; empty if it is not among those asked for. */
        const exampleOf = ([index, nano]: readonly [number, number]): readonly LeakExample[] => {
          const request = requests[index]
          if (request === undefined || isAsked[index] !== true) return []
          const { at, number, seq } = request
          const cause = causeOf.get(index) ?? null
          return [{ sessionId, at, request: number, seq, costNano: BigInt(nano), cause }]
        }
        addExamples(sum, leak.dearest.flatMap(exampleOf))
        // Of a kind with causes, each request that paid is a case.
        if (causeOf.size > 0)
          for (const example of leak.paid.flatMap(exampleOf)) {
            const part = example.cause === null ? undefined : sum.causes.get(example.cause)
            if (part !== undefined) addExamples(part, [example])
          }
      }
    },
    /**
     * The report so far: the dearest leaks first, and then the views (see `LEAKS`), which are in no sum. `total`: what
     * all requests that are asked for cost.
     */
    report: (total: UsageTotals): LeakReport => {
      const cost = Number(total.costNano)
      const all = LEAKS.map(({ kind, title, view, certainty, advice }): Leak => {
        const { nano, requests, examples, causes } = sums.get(kind) ?? { ...noSum(), causes: new Map() }
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
          causes: causesOf(causes),
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

/**
 * Adds to `sum` what the requests that are asked for paid, as a whole and by cause; gives the cause of each by its
 * index among the session's requests, empty for kinds without causes.
 */
const addPaid = (
  sum: KindSum,
  { paid, causes }: SessionLeak,
  isAsked: readonly boolean[],
): ReadonlyMap<number, BreakCause> => {
  const causeOf = new Map<number, BreakCause>()
  for (const [position, [index, nano]] of paid.entries()) {
    if (isAsked[index] !== true) continue
    const cause = causes[position]
    const part = cause === undefined ? undefined : (sum.causes.get(cause) ?? noSum())
    if (cause !== undefined && part !== undefined) {
      sum.causes.set(cause, part)
      causeOf.set(index, cause)
    }
    for (const each of part === undefined ? [sum] : [sum, part]) {
      each.nano += nano
      each.requests += 1
    }
  }
  return causeOf
}

/** Adds examples to `sum`, of which only the dearest are kept. */
const addExamples = (sum: Sum, examples: readonly LeakExample[]): void => {
  sum.examples.push(...examples)
  if (sum.examples.length > 4 * EXAMPLES) sum.examples = dearestOf(sum.examples)
}

/** The causes that occurred, the dearest first. Causes that did not occur are left out. */
const causesOf = (sums: ReadonlyMap<BreakCause, Sum>): readonly LeakCause[] =>
  BREAK_CAUSES.flatMap(({ cause, title, certainty, advice }): readonly LeakCause[] => {
    const sum = sums.get(cause)
    if (sum === undefined) return []
    const { nano, requests, examples } = sum
    return [{ cause, title, certainty, advice, costNano: BigInt(nano), requests, examples: dearestOf(examples) }]
  }).toSorted((left, right) => Number(right.costNano - left.costNano))

const dearestOf = (examples: readonly LeakExample[]): LeakExample[] =>
  examples.toSorted((left, right) => Number(right.costNano - left.costNano)).slice(0, EXAMPLES)

/** Whether a request is one of those that are asked for, as usage tells it: without a time it is in no range. */
const isIn = ({ at, workspace }: LeakRequest, { since, until, ...query }: LeakQuery): boolean => {
  if (since !== undefined && (at === null || at < since)) return false
  if (until !== undefined && (at === null || at >= until)) return false
  return isMeant(workspace, query)
}
