/** The table of `cairn usage`, and the notes below it. */
import {
  allInputTokens,
  cacheHitRatio,
  cacheWriteTokens,
  formatCost,
  formatEstimate,
  formatUsd,
  isUsagePeriod,
  unpricedModels,
} from '@cairn/core'
import type { Engine, FailureSum, UsageGrouping, UsageQuery, UsageReport, UsageRow, UsageTotals } from '@cairn/core'
import type { Context } from '../command.ts'
import { unpricedLines } from './unpriced-lines.ts'
import { idInTable, shownIds } from './session-ids.ts'
import type { NamedSession } from './session-ids.ts'
import { counted, formatCount, formatShare } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import type { Column } from '../terminal/table.ts'
import { shortenMiddle, shortenPath, textWidth } from '../terminal/text-width.ts'
import { wrapLine } from '../terminal/wrap.ts'

/** Sessions whose titles are looked up. */
const TITLES = 500
/** Columns for the beginning of a title behind a session's id. */
const TITLE_MINIMUM = 8

/** Keys that decide the width of their column: it is as wide as these need to look different, within limits. */
const KEYS_TOLD_APART = 100
const KEY_MINIMUM = 8
const KEY_WIDEST = 24

/**
 * How the first column is headed and shortened. Spans of time are never cut, and of sessions only the titles. `ids` (of
 * sessions) and `keys` are what it will show, from which its least width is found.
 */
const keyColumn = (by: UsageGrouping, ids: readonly string[], keys: readonly string[]): Column => {
  if (isUsagePeriod(by)) return { title: by }
  if (by === 'session')
    return {
      title: by,
      shorten: 'end',
      minimum: widestOf(ids) + TITLE_MINIMUM,
    }
  const shorten = by === 'workspace' || by === 'project' ? 'path' : 'middle'
  // Of agents and modes there are few, by names that everybody knows.
  const minimum =
    by === 'agent' || by === 'mode'
      ? Math.min(widestOf(keys), KEY_WIDEST)
      : distinguishingWidth(keys, shorten === 'path' ? shortenPath : shortenMiddle)
  return { title: by, shorten, minimum }
}

/** The width of the widest text; 0 for none. */
const widestOf = (texts: readonly string[]): number =>
  texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0)

/**
 * The narrowest width, from 8 to 24 columns, at which the first 100 names still look different where they are, so that
 * other columns are dropped first.
 */
const distinguishingWidth = (keys: readonly string[], shorten: (text: string, width: number) => string): number => {
  const shown = keys.slice(0, KEYS_TOLD_APART)
  let width = KEY_MINIMUM
  while (width < KEY_WIDEST && new Set(shown.map((key) => shorten(key, width))).size < new Set(shown).size) width++
  return width
}

/** Which columns a narrow terminal drops first: the highest rank. The cost always stays. */
const DROP_RANKS: Readonly<Record<string, number>> = {
  '+missing': 6,
  written: 5,
  reqs: 4,
  input: 3,
  cached: 2,
  output: 1,
}

/** Returns a cost for a table: with `+ ?` if some requests have no known price, `unpriced` if none has one. */
export const costCell = ({
  costNano,
  unpricedRequests,
  requests,
}: Pick<UsageTotals, 'costNano' | 'unpricedRequests' | 'requests'>): string => {
  if (unpricedRequests === 0) return formatUsd(costNano)
  return unpricedRequests === requests ? 'unpriced' : `${formatUsd(costNano)} + ?`
}

/**
 * Returns the total cost with the estimated cost of output missing from the records, and `+ ?` if some requests have no
 * known price; `unpriced` if none has one.
 */
export const totalCostCell = (
  totals: Pick<UsageTotals, 'costNano' | 'missingOutputCostNano' | 'unpricedRequests' | 'requests'>,
): string => {
  const { costNano, missingOutputCostNano, unpricedRequests, requests } = totals
  if (unpricedRequests === requests) return costCell(totals)
  return `${formatCost(costNano, missingOutputCostNano)}${unpricedRequests > 0 ? ' + ?' : ''}`
}

/**
 * Returns a row of the table: counts shortened, cached and written tokens apart from the input. In the order of the
 * columns; an estimate of 0 is empty. `withEstimate`: with a cell for tokens that partial replies miss.
 */
const cells = (key: string, totals: UsageTotals, withEstimate: boolean, cost = costCell(totals)): readonly string[] => [
  key,
  formatCount(totals.requests),
  formatCount(totals.inputTokens),
  formatCount(totals.cacheReadTokens),
  formatCount(cacheWriteTokens(totals)),
  formatCount(totals.outputTokens),
  ...(withEstimate ? [totals.missingOutputTokens === 0 ? '' : `~${formatCount(totals.missingOutputTokens)}`] : []),
  cost,
]

/**
 * Returns the table's lines within `width` columns; the first is its head, the last starts with `Total`. `keyText`
 * returns what a row is called; `ids` has what is shown for sessions. `dropped` names the columns that did not fit.
 */
export const usageLines = (
  report: UsageReport,
  by: UsageGrouping,
  keyText: (row: UsageRow) => string,
  width: number,
  ids: readonly string[] = [],
): { readonly lines: readonly string[]; readonly dropped: readonly string[] } => {
  const withEstimate = report.total.partialRequests > 0
  /** A right-aligned column, left out by its rank. */
  const right = (title: string): Column => ({
    title,
    align: 'right',
    ...(DROP_RANKS[title] === undefined ? {} : { dropRank: DROP_RANKS[title] }),
  })
  /** The table with this text as its total cost. */
  const table = (totalCost: string) =>
    tableLines({
      columns: [
        keyColumn(by, ids, report.rows.map(keyText)),
        right('reqs'),
        right('input'),
        right('cached'),
        right('written'),
        right('output'),
        ...(withEstimate ? [right('+missing')] : []),
        right('cost'),
      ],
      rows: report.rows.map((row) => cells(keyText(row), row, withEstimate)),
      total: cells('Total', report.total, withEstimate, totalCost),
      width,
    })
  const whole = table(totalCostCell(report.total))
  // A sentence below the table has the estimate, too: where columns are scarce, they are the names' and the rows'.
  const isWhole = whole.dropped.length === 0 && report.rows.every((row, at) => whole.rows[at]?.startsWith(keyText(row)))
  const fits = isWhole && [whole.head, ...whole.rows].every((line) => textWidth(line) <= width)
  const { head, rows, total = '', dropped } = fits ? whole : table(costCell(report.total))
  return { lines: [head, ...rows, total], dropped }
}

const RELEASE_DATE = /-20\d{6}$/

/** The models' names without release dates, unless two would become the same. */
const modelNames = (rows: readonly UsageRow[]): ReadonlyMap<string, string> => {
  const short = (key: string): string => key.replace(RELEASE_DATE, '')
  const isUnique = (key: string): boolean => rows.filter((row) => short(row.key) === short(key)).length === 1
  return new Map(rows.map(({ key }) => [key, isUnique(key) ? short(key) : key]))
}

/** A session as the beginning of its id, which `session show` accepts, and its title. */
const sessionText = (key: string, ids: ReadonlyMap<string, string>, titles: ReadonlyMap<string, string>): string =>
  `${idInTable(ids.get(key) ?? key)} ${neutraliseLine(titles.get(key) ?? '')}`.trimEnd()

/** The ids in a row's key, which is the agent's name and its own id. */
const namedSession = ({ key }: UsageRow): NamedSession => ({ id: key, externalId: key.slice(key.indexOf(':') + 1) })

/** Titles by session id of a report's first 500 rows, for a report by session. Empty for other groupings. */
const titlesOf = async (
  query: UsageQuery,
  report: UsageReport,
  engine: Engine,
): Promise<ReadonlyMap<string, string>> => {
  if (query.by !== 'session') return new Map()
  const shown = report.rows.slice(0, TITLES)
  const sessions = await Promise.all(shown.map(({ key }) => engine.store.sessions.get(key)))
  return new Map(
    sessions.flatMap((session) =>
      session === undefined || session.title === null ? [] : [[session.id, session.title]],
    ),
  )
}

/**
 * Returns sentences about the figures, only those that apply: the share of input from the cache, the cost that the
 * agent recorded itself, latency, and replies that were recorded only in part.
 */
const noteLines = (total: UsageTotals): readonly string[] => {
  const share = cacheHitRatio(total)
  return [
    ...(share === undefined
      ? []
      : [
          `${formatShare(share)} of all input (${formatCount(allInputTokens(total))} tokens) was read from the provider's cache.`,
        ]),
    ...(total.recordedCostNano > 0n
      ? [`${formatUsd(total.recordedCostNano)} of the cost was recorded by the agent, the rest computed.`]
      : []),
    ...(total.timedRequests > 0 ? [latencyLine(total)] : []),
    ...(total.partialRequests > 0 ? [partialLine(total)] : []),
  ]
}

/** A sentence about the duration of requests that Cairn made itself. */
const latencyLine = ({ timedRequests, firstTokenMs, totalMs }: UsageTotals): string =>
  `${counted(timedRequests, 'request')} ${timedRequests === 1 ? 'was' : 'were'} timed: on average ${seconds(firstTokenMs / timedRequests)} until the first token, ${seconds(totalMs / timedRequests)} in all.`

/** A duration in seconds with one decimal. */
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/**
 * Returns the requests that failed without being billed, in the report's time and session, the most frequent first.
 * Empty under other filters, which can't be applied to failures.
 */
export const failuresOf = async (
  { since, until, filter = {} }: UsageQuery,
  engine: Engine,
): Promise<readonly FailureSum[]> => {
  const { session, ...others } = filter
  if (Object.keys(others).length > 0) return []
  return engine.store.usage.failures({
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(session === undefined ? {} : { sessionId: session }),
  })
}

/** Returns a sentence about failures; empty if there are none. Rejects as the store does. */
const failureLines = async (query: UsageQuery, engine: Engine): Promise<readonly string[]> => {
  const sums = await failuresOf(query, engine)
  return sums.length === 0 ? [] : [failureLine(sums)]
}

/** Returns the number of failures, in all and by code, as a sentence. */
const failureLine = (sums: readonly FailureSum[]): string => {
  const byCode = Map.groupBy(sums, ({ code }) => code)
  const all = sums.reduce((sum, { failures }) => sum + failures, 0)
  const codes = [...byCode].map(([code, some]) => `${some.reduce((sum, { failures }) => sum + failures, 0)} ${code}`)
  return `${counted(all, 'request')} failed without being billed (${codes.join(', ')}); ${all === 1 ? 'it is' : 'they are'} in no figure.`
}

/** A sentence about output missing from the records, and its estimated cost. */
const partialLine = ({ partialRequests, missingOutputTokens, missingOutputCostNano }: UsageTotals): string => {
  const cost = formatEstimate(missingOutputCostNano)
  return `+missing: the agent recorded only a part of the output of ${counted(partialRequests, 'reply')}; about ${formatCount(missingOutputTokens)} tokens more were written${cost === undefined ? '' : `, for ${cost}`} (an estimate; in no other figure).`
}

/**
 * Prints a report: the table, then notes about the cache, times, and unpriced, partial and failed requests, as far as
 * they apply; for one without requests, why it is empty.
 */
export const showUsage = async (
  report: UsageReport,
  query: UsageQuery,
  engine: Engine,
  { terminal, now }: Pick<Context, 'terminal' | 'now'>,
): Promise<void> => {
  const { total } = report
  const ids =
    query.by === 'session'
      ? await shownIds(report.rows.map(namedSession), engine.store.sessions)
      : new Map<string, string>()
  const titles = await titlesOf(query, report, engine)
  const models = query.by === 'model' ? modelNames(report.rows) : new Map<string, string>()
  const keyText = ({ key }: UsageRow): string =>
    query.by === 'session' ? sessionText(key, ids, titles) : neutraliseLine(models.get(key) ?? key)
  const { lines, dropped } = usageLines(report, query.by, keyText, terminal.width, [...ids.values()].map(idInTable))
  const [head = '', ...rest] = lines
  await terminal.line(terminal.style('bold', head))
  for (const line of rest.slice(0, -1)) await terminal.line(line)
  await terminal.line(terminal.style('bold', rest.at(-1) ?? ''))
  const say = async (text: string): Promise<void> => {
    for (const line of wrapLine(text, terminal.width)) await terminal.line(line)
  }
  if (total.requests === 0) {
    const { sessions, location } = await engine.store.statistics()
    return say(
      sessions === 0
        ? `The store ${location} is empty; take in what your agents did: cairn import`
        : 'No requests match.',
    )
  }
  await terminal.line()
  if (dropped.length > 0) await say(`No room for: ${dropped.join(', ')} (a wider terminal shows them).`)
  for (const sentence of [...noteLines(total), ...(await failureLines(query, engine))]) await say(sentence)
  if (total.unpricedRequests > 0)
    for (const line of unpricedLines(await unpricedModels(engine.usage, query, now()))) await say(line)
}
