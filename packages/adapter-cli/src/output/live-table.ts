/** Live sessions as a table and as JSON. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { LiveActivity, LiveCache, LiveContext, LiveSession, LiveSessions } from '@cairn/core/insights'
import { counted, formatCount } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { sessionJson } from './json-output.ts'
import { idInTable } from './session-ids.ts'
import { budgetsJson } from './spending-report.ts'
import { costCell } from './usage-table.ts'

const MINUTE_MS = 60_000

/** Returns a live session for `--json`; what is not known is null. */
const liveJson = ({ session, costNanoPerHour, context, budget, ...facts }: LiveSession): Record<string, unknown> => ({
  ...sessionJson(session),
  ...facts,
  context: context === null ? null : { ...context, share: context.tokens / context.window },
  costUsdPerHour: costNanoPerHour === null ? null : usdFromNano(costNanoPerHour),
  budget: budget === null ? null : (budgetsJson([budget])[0] ?? null),
})

/**
 * Returns live sessions for `--json`: `{now, sessions, total}`, costs in USD, times in ms; null for what is not known.
 */
export const liveSessionsJson = ({ now, sessions }: LiveSessions): Record<string, unknown> => ({
  now,
  sessions: sessions.map(liveJson),
  total: sessions.length,
})

/** How full the context is; a dash if unknown. */
const contextCell = (context: LiveContext | null): string =>
  context === null ? '–' : `${Math.round((100 * context.tokens) / context.window)} % of ${formatCount(context.window)}`

/** How long the cache is still kept, in minutes, rounded up; a dash if unknown. */
const cacheCell = (cache: LiveCache | null, now: number): string => {
  if (cache === null) return '–'
  const left = Math.ceil((cache.expiresAt - now) / MINUTE_MS)
  return left <= 0 ? 'expired' : `${left} min`
}

const TURNS: Readonly<Record<Exclude<LiveActivity['state'], 'tool'>, string>> = {
  model: 'the model works',
  person: 'waits for you',
}

/** Returns what a session is doing: the running tool and what it is about, else whose turn it is; a dash if unknown. */
const activityCell = (activity: LiveActivity | null): string => {
  if (activity === null) return '–'
  const { state, call } = activity
  if (state !== 'tool' || call === null) return state === 'tool' ? 'a tool runs' : TURNS[state]
  return neutraliseLine(`${call.name}${call.about === '' ? '' : ` ${call.about}`}`)
}

/** The last part of a path; the text itself if it has none. */
const lastPart = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path

/** Returns the cells of a live session's row; a dash for what is not known. `ids`: short ids, by session. */
const cells = (live: LiveSession, now: number, ids: ReadonlyMap<string, string>): readonly string[] => {
  const { session, model, context, costNanoPerHour, activity, cache } = live
  return [
    idInTable(ids.get(session.id) ?? session.externalId),
    session.agent,
    session.workspace === null ? '-' : neutraliseLine(lastPart(session.workspace)),
    model === null ? '–' : neutraliseLine(model),
    contextCell(context),
    costCell(session),
    costNanoPerHour === null ? '–' : formatUsd(costNanoPerHour),
    cacheCell(cache, now),
    activityCell(activity),
  ]
}

/**
 * Returns the table's lines within `width` columns. The last one starts with `Total`, sums these sessions, and tells
 * how many there are in all. `ids` has what is shown for a session's id.
 */
export const liveLines = (
  { sessions, now, inAll }: LiveSessions & { readonly inAll: number },
  ids: ReadonlyMap<string, string>,
  width: number,
): readonly string[] => {
  const sum = { requests: 0, unpricedRequests: 0, costNano: 0n }
  for (const { session } of sessions) {
    sum.requests += session.requests
    sum.unpricedRequests += session.unpricedRequests
    sum.costNano += session.costNano
  }
  const { head, rows, total } = tableLines({
    columns: [
      { title: 'id' },
      { title: 'agent', shorten: 'end', minimum: 6, dropRank: 6 },
      { title: 'project', shorten: 'middle', minimum: 7, dropRank: 3 },
      { title: 'model', shorten: 'end', minimum: 8, dropRank: 5 },
      { title: 'context', align: 'right' },
      { title: 'cost', align: 'right', dropRank: 2 },
      { title: 'an hour', align: 'right', dropRank: 4 },
      { title: 'cached', align: 'right', dropRank: 7 },
      { title: 'doing', shorten: 'end', minimum: 10, dropRank: 1 },
    ],
    rows: sessions.map((live) => cells(live, now, ids)),
    total: [
      'Total',
      '',
      '',
      '',
      '',
      sum.requests === 0 ? '' : costCell(sum),
      '',
      '',
      sessions.length < inAll ? `${sessions.length} of ${inAll}` : counted(inAll, 'session'),
    ],
    width,
  })
  return [head, ...rows, ...(total === undefined ? [] : [total])]
}
