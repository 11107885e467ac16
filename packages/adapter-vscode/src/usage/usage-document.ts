/** The document behind "Cairn: Show Usage": tables that read well as plain text and as Markdown. */
import { DAY_MS, replaceUnsafe } from '@cairn/core'
import type { UsageReport, UsageRow, UsageStorage, UsageTotals } from '@cairn/core'
import { cacheHitText, costText, countText, stateNotes, tokenText } from './figures.ts'
import { belongsTo, projectName } from './project-usage.ts'
import type { ProjectQuery } from './project-usage.ts'

const DAYS = 30
const MOST_ROWS = 40

/** Longest name, in characters: with it a line has about 100 columns. */
const LONGEST_NAME = 30
const HERE = ' ← here'

const HEADINGS = ['Cost', 'Requests', 'Tokens', 'Uncached', 'Cache hits', 'Output'] as const

/**
 * Returns the figures of a row: cost, requests, tokens in all, uncached input, share of input from the cache, output.
 */
const cells = (totals: UsageTotals): readonly string[] => [
  costText(totals),
  totals.requests.toLocaleString('en-US'),
  tokenText(totals),
  countText(totals.inputTokens),
  cacheHitText(totals),
  countText(totals.outputTokens),
]

/** Returns a name from a transcript as a table's cell: without line breaks, column marks and invisible characters. */
const nameCell = (name: string): string =>
  replaceUnsafe(name, () => ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('|', '¦')

/** Returns a name for a cell, cut at its beginning if it is too long: paths and models differ at their ends. */
const shortCell = (name: string, most: number): string => {
  const text = nameCell(name)
  // Not between the halves of a surrogate pair.
  return text.length <= most ? text : `…${text.slice(1 - most).replace(/^[\udc00-\udfff]/, '')}`
}

/**
 * Returns a Markdown table with aligned columns, readable unrendered; the last row is `Total`. Names are made safe, but not
 * cut.
 */
export const textTable = (
  heading: string,
  rows: readonly { readonly name: string; readonly totals: UsageTotals }[],
  total: UsageTotals,
): string => {
  const lines = [
    [heading, ...HEADINGS],
    ...rows.map(({ name, totals }) => [nameCell(name), ...cells(totals)]),
    ['Total', ...cells(total)],
  ]
  const widths = [heading, ...HEADINGS].map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const drawn = lines.map(
    (line) =>
      `| ${line.map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))).join(' | ')} |`,
  )
  const rule = `|${widths.map((width, column) => (column === 0 ? `:${'-'.repeat(width + 1)}` : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [drawn[0] ?? '', rule, ...drawn.slice(1)].join('\n')
}

/**
 * Returns a table of usage below a heading, at most {@link MOST_ROWS} rows and how many more there are. `names` gives
 * the first cell of a row.
 */
const section = (
  title: string,
  heading: string,
  { rows, total }: UsageReport,
  names: (row: UsageRow) => string = (row) => shortCell(row.key, LONGEST_NAME),
): string => {
  const shown = rows.slice(0, MOST_ROWS)
  const left = rows.length - shown.length
  const more = left === 0 ? '' : `\n\n${left.toLocaleString('en-US')} more rows are in the total.`
  return `## ${title}\n\n${textTable(
    heading,
    shown.map((row) => ({ name: names(row), totals: row })),
    total,
  )}${more}`
}

/** What the document is about. */
export interface UsageDocumentQuery extends ProjectQuery {
  /** The store's address without a password. */
  readonly location: string
}

/**
 * Returns the usage of the last thirty days, of all projects, as a Markdown document: by day (newest first), project and
 * model, at most 40 rows each. `folders` only mark their own project. Rejects if the store can't be read.
 */
export const usageDocument = async (
  usage: Pick<UsageStorage, 'report'>,
  { folders, timeZone, now, location }: UsageDocumentQuery,
): Promise<string> => {
  const range = { since: now - DAYS * DAY_MS, timeZone }
  const [days, models, projects] = await Promise.all([
    usage.report({ ...range, by: 'day' }),
    usage.report({ ...range, by: 'model' }),
    usage.report({ ...range, by: 'workspace' }),
  ])
  const here = projectName(folders)
  const mark = (row: UsageRow): string =>
    folders.length > 0 && belongsTo(row.key, folders)
      ? `${shortCell(row.key, LONGEST_NAME - HERE.length)}${HERE}`
      : shortCell(row.key, LONGEST_NAME)
  const newestFirst: UsageReport = { ...days, rows: days.rows.toReversed() }
  return [
    '# Cairn: usage of the last 30 days',
    [
      `${here === undefined ? 'All projects' : `All projects; this one is ${nameCell(here)}`}. Days begin in ${timeZone}.`,
      `Store: ${nameCell(location)}`,
      ...stateNotes(days.total),
    ].join('\n'),
    section('By day', 'Day', newestFirst),
    section('By project', 'Project', projects, mark),
    section('By model', 'Model', models),
    '`$1.23+` means that a part of the requests has no cost.',
    '',
  ].join('\n\n')
}
