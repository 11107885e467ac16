/** What the commits of a branch cost: the requests made on it since the commit before, by their times. */
import type { BranchCommit, BranchHistory } from '../ports/git-history.ts'
import type { UsageQuery, UsageStorage, UsageTotals } from '../ports/usage-storage.ts'
import { DAY_MS, UNKNOWN_KEY } from '../usage/calendar.ts'
import { addTotals, emptyTotals } from '../usage/totals.ts'

/** What requests belong to: a commit; `uncommitted`: after the last one; `earlier`: before those known; `untimed`: unknown. */
export type CommitRow =
  | { readonly kind: 'commit'; readonly commit: BranchCommit; readonly totals: UsageTotals }
  | { readonly kind: 'uncommitted' | 'earlier' | 'untimed'; readonly totals: UsageTotals }

export interface CommitCosts {
  readonly branch: string
  /** The newest first; none without requests. */
  readonly rows: readonly CommitRow[]
  /** Of all requests that are asked for: the sum of the rows. */
  readonly total: UsageTotals
}

/** Whose commits, and which requests; `filter` names the project. */
export interface CommitQuery {
  readonly usage: Omit<UsageQuery, 'by' | 'limit' | 'timeZone'>
  readonly history: Exclude<BranchHistory, { readonly refused: string }>
}

/** A span of time, ms; `since` is in it, `until` is not. */
interface Span {
  readonly since: number
  readonly until: number
}

type Owner =
  { readonly kind: 'commit'; readonly commit: BranchCommit } | { readonly kind: 'uncommitted' | 'earlier' | 'untimed' }

/** Imports may go on while it is asked. */
const ATTEMPTS = 3

/**
 * The costs of a branch's commits, the newest first (`untimed` last); only rows with requests. Asks the store for its
 * days, and once for each commit near which there were requests; rejects as the store does, and where imports went on
 * through three attempts it gives what it has.
 */
export const commitCostsOf = async (
  storage: Pick<UsageStorage, 'report'>,
  { usage, history }: CommitQuery,
): Promise<CommitCosts> => {
  const { branch } = history
  const query = { ...usage, filter: { ...usage.filter, branch } }
  const spans = spansOf(history)
  for (let attempt = 1; ; attempt += 1) {
    const { rows: days, total } = await storage.report({ ...query, by: 'day', timeZone: 'UTC' })
    const active = days.flatMap(({ key }) => (key === UNKNOWN_KEY ? [] : [Date.parse(`${key}T00:00:00Z`)]))
    const rows: CommitRow[] = []
    for (const [owner, span] of spans) {
      const asked = within(span, query)
      if (!active.some((day) => day < asked.until && day + DAY_MS > asked.since)) continue
      const { total: totals } = await storage.report({ ...query, by: 'agent', limit: 1, ...finite(asked) })
      if (totals.requests > 0) rows.push({ ...owner, totals })
    }
    const untimed = days.find(({ key }) => key === UNKNOWN_KEY)
    if (untimed !== undefined) {
      const { key: _key, ...totals } = untimed
      rows.push({ kind: 'untimed', totals })
    }
    const sum = rows.reduce((all, { totals }) => addTotals(all, totals), emptyTotals)
    if (attempt === ATTEMPTS || (sum.requests === total.requests && sum.costNano === total.costNano))
      return { branch, rows, total: sum }
  }
}

/**
 * What each span of time belongs to, the newest first. All time is in exactly one of them. Where `isCut`, the oldest
 * commit has no span of its own: all up to it is `earlier`.
 */
const spansOf = ({ commits, isCut }: CommitQuery['history']): readonly (readonly [Owner, Span])[] => {
  const rising = commits.toSorted((left, right) => left.at - right.at)
  const spans: (readonly [Owner, Span])[] = []
  let since = Number.NEGATIVE_INFINITY
  for (const [index, commit] of rising.entries()) {
    // Git knows seconds: what was asked in the same one comes before.
    const until = commit.at + 1000
    const owner: Owner = isCut && index === 0 ? { kind: 'earlier' } : { kind: 'commit', commit }
    if (until > since) spans.push([owner, { since, until }])
    since = until
  }
  spans.push([{ kind: 'uncommitted' }, { since, until: Number.POSITIVE_INFINITY }])
  return spans.toReversed()
}

/** The part of a span that the query asks for; it may be empty (`since` not before `until`). */
const within = ({ since, until }: Span, query: Pick<UsageQuery, 'since' | 'until'>): Span => ({
  since: Math.max(since, query.since ?? Number.NEGATIVE_INFINITY),
  until: Math.min(until, query.until ?? Number.POSITIVE_INFINITY),
})

/**
 * The span for a query: without ends that are none, and from the beginning of time at the earliest, so that requests
 * without a time stay out.
 */
const finite = ({ since, until }: Span): Pick<UsageQuery, 'since' | 'until'> => ({
  since: Math.max(0, since),
  ...(Number.isFinite(until) ? { until } : {}),
})
