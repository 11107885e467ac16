/** The table of `cairn usage`, and what has to be said below it. */
import { allInputTokens, cacheHitRatio, formatUsd } from '@cairn/core'
import type { Engine, UsageGrouping, UsageQuery, UsageReport, UsageRow, UsageTotals } from '@cairn/core'
import type { Context } from './command.ts'
import { counted, formatCount, formatShare } from './terminal/format.ts'
import { neutraliseLine } from './terminal/neutralise.ts'
import { tableLines } from './terminal/table.ts'
import type { Column } from './terminal/table.ts'

/** More titles than this are not looked up: nobody reads them. */
const TITLES = 500
/** Models without a price that are named. */
const UNPRICED_NAMED = 5
/** The beginning of a session's id that `session show` understands. */
const ID_SHOWN = 8

/** What stands in front of a row. */
const keyColumn = (by: UsageGrouping): Column => ({ title: by, shorten: by === 'workspace' ? 'path' : by === 'session' ? 'end' : 'middle' })

const costCell = ({ costNano, unpricedRequests, requests }: UsageTotals): string => {
  if (unpricedRequests === 0) return formatUsd(costNano)
  return unpricedRequests === requests ? 'unpriced' : `${formatUsd(costNano)} + ?`
}

const cells = (key: string, totals: UsageTotals, withEstimate: boolean): readonly string[] => [
  key,
  formatCount(totals.requests),
  formatCount(totals.inputTokens),
  formatCount(totals.cacheReadTokens),
  formatCount(totals.cacheWrite5mTokens + totals.cacheWrite1hTokens),
  formatCount(totals.outputTokens),
  ...(withEstimate ? [totals.missingOutputTokens === 0 ? '' : `~${formatCount(totals.missingOutputTokens)}`] : []),
  costCell(totals),
]

/** The table's lines; the last one starts with `Total`. */
export const usageLines = (report: UsageReport, by: UsageGrouping, keyText: (row: UsageRow) => string, width: number): readonly string[] => {
  const withEstimate = report.total.partialRequests > 0
  const right = (title: string): Column => ({ title, align: 'right' })
  const { head, rows, total = '' } = tableLines({
    columns: [keyColumn(by), right('reqs'), right('input'), right('cached'), right('written'), right('output'), ...(withEstimate ? [right('+missing')] : []), right('cost')],
    rows: report.rows.map((row) => cells(keyText(row), row, withEstimate)),
    total: cells('Total', report.total, withEstimate),
    width,
  })
  return [head, ...rows, total]
}

const RELEASE_DATE = /-20\d{6}$/

/** Models' names without their dates of release, where the others can still be told apart. */
const modelNames = (rows: readonly UsageRow[]): ReadonlyMap<string, string> => {
  const short = (key: string): string => key.replace(RELEASE_DATE, '')
  const isUnique = (key: string): boolean => rows.filter((row) => short(row.key) === short(key)).length === 1
  return new Map(rows.map(({ key }) => [key, isUnique(key) ? short(key) : key]))
}

/** A session's key with its title: the agent's name goes, the id's beginning stays. */
const sessionText = (key: string, titles: ReadonlyMap<string, string>): string => {
  const id = key.slice(key.indexOf(':') + 1)
  const title = titles.get(key)
  return title === undefined ? key : `${id.slice(0, ID_SHOWN)} ${neutraliseLine(title)}`
}

const titlesOf = async (query: UsageQuery, report: UsageReport, engine: Engine): Promise<ReadonlyMap<string, string>> => {
  if (query.by !== 'session') return new Map()
  const { sessions } = await engine.store.sessions.list({ sort: 'cost', limit: Math.min(TITLES, report.rows.length) })
  return new Map(sessions.flatMap(({ id, title }) => (title === null ? [] : [[id, title]])))
}

const unpricedLines = async (query: UsageQuery, engine: Engine): Promise<readonly string[]> => {
  const { rows } = await engine.usage({ ...query, by: 'model' })
  const unpriced = rows.filter((row) => row.unpricedRequests > 0)
  const named = unpriced.slice(0, UNPRICED_NAMED).map((row) => `${neutraliseLine(row.key)} (${counted(row.unpricedRequests, 'request')})`)
  const others = unpriced.length > UNPRICED_NAMED ? ` and ${unpriced.length - UNPRICED_NAMED} more` : ''
  return [
    `Without a known price: ${named.join(', ')}${others}.`,
    'Set one before the next import, in USD per million tokens (input,output):',
    `  cairn config set prices.${neutraliseLine(unpriced[0]?.key ?? '<model>')} 3,15`,
  ]
}

const partialLine = ({ partialRequests, missingOutputTokens }: UsageTotals): string =>
  `+missing: the agent recorded only a part of the output of ${counted(partialRequests, 'reply')};\nabout ${formatCount(missingOutputTokens)} tokens more were written (an estimate; in no other figure).`

/** Prints a report. */
export const showUsage = async (report: UsageReport, query: UsageQuery, engine: Engine, { terminal }: Context): Promise<void> => {
  const { total } = report
  const titles = await titlesOf(query, report, engine)
  const models = query.by === 'model' ? modelNames(report.rows) : new Map<string, string>()
  const keyText = ({ key }: UsageRow): string => (query.by === 'session' ? sessionText(key, titles) : neutraliseLine(models.get(key) ?? key))
  const [head = '', ...rest] = usageLines(report, query.by, keyText, terminal.width)
  await terminal.line(terminal.style('bold', head))
  for (const line of rest.slice(0, -1)) await terminal.line(line)
  await terminal.line(terminal.style('bold', rest.at(-1) ?? ''))
  if (total.requests === 0) {
    const { sessions, location } = await engine.store.statistics()
    return terminal.line(sessions === 0 ? `The store ${location} is empty; take in what your agents did: cairn import` : 'No requests match.')
  }
  await terminal.line()
  const share = cacheHitRatio(total)
  if (share !== undefined) await terminal.line(`${formatShare(share)} of all input (${formatCount(allInputTokens(total))} tokens) was read from the provider's cache.`)
  if (total.recordedCostNano > 0n) await terminal.line(`${formatUsd(total.recordedCostNano)} of the cost was recorded by the agent, the rest computed.`)
  if (total.partialRequests > 0) await terminal.line(partialLine(total))
  if (total.unpricedRequests > 0) for (const line of await unpricedLines(query, engine)) await terminal.line(line)
}
