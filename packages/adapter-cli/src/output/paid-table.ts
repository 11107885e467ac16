/** What is paid, beside what the same requests cost at API prices: for `cairn usage` and `cairn insights`. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { PaidPart, PaidReport } from '@cairn/core/insights'
import { counted, formatCount } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import type { Column } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapLine } from '../terminal/wrap.ts'

type Sum = PaidReport['total']
type Figures = Pick<Sum, 'requests' | 'unpricedRequests' | 'equivalentNano' | 'paidNano'>

const usdOrNull = (nano: bigint | null): number | null => (nano === null ? null : usdFromNano(nano))

/** Returns sums for JSON: costs in USD, null if not known. */
const sumJson = ({ requests, unpricedRequests, equivalentNano, paidNano, savedNano }: Sum) => ({
  requests,
  unpricedRequests,
  equivalentUsd: usdFromNano(equivalentNano),
  paidUsd: usdOrNull(paidNano),
  savedUsd: usdOrNull(savedNano),
})

/** Returns a part for JSON: costs and a subscription's fee in USD. */
const partJson = (part: PaidPart): Record<string, unknown> => {
  const { equivalentNano, paidNano, ...facts } = part
  const costs = { equivalentUsd: usdFromNano(equivalentNano), paidUsd: usdOrNull(paidNano) }
  if (facts.kind !== 'subscription') return { ...facts, ...costs }
  const { monthlyNano, ...plan } = facts
  return { ...plan, monthlyUsd: usdFromNano(monthlyNano), ...costs }
}

/**
 * What is paid for `--json`: `{rows: [{provider, …, parts}], total: {requests, unpricedRequests, equivalentUsd, paidUsd,
 * savedUsd}}`; `paidUsd` and `savedUsd` are null where a subscription is paid for more than these requests.
 */
export const paidJson = ({ rows, total }: PaidReport) => ({
  rows: rows.map(({ provider, parts, ...sum }) => ({ provider, ...sumJson(sum), parts: parts.map(partJson) })),
  total: sumJson(total),
})

/**
 * Returns what requests are paid by: `20 % off`, `Max, 31 days ($100.00 a month)`, either with `in <project>` if it is
 * of one, or `pay-as-you-go`.
 */
const paidBy = (part: PaidPart): string => {
  if (part.kind === 'pay-as-you-go') return 'pay-as-you-go'
  const terms =
    part.kind === 'discount'
      ? `${part.percent} % off`
      : `${neutraliseLine(part.name)}, ${counted(part.days, 'day')} (${formatUsd(part.monthlyNano)} a month)`
  return part.project === null ? terms : `${terms} in ${neutraliseLine(folderName(part.project))}`
}

/** The last part of a path, with either kind of slash. */
const folderName = (path: string): string => path.split(/[\\/]/).findLast(Boolean) ?? path

const NOT_KNOWN = '–'

/**
 * Returns the cells of a row: provider, what pays, requests, cost at API prices (with "+ ?" if some have no price),
 * what was paid, and what was saved; `NOT_KNOWN` for the last two where that can't be told.
 */
const cells = (provider: string, by: string, { requests, unpricedRequests, equivalentNano, paidNano }: Figures) => [
  provider,
  by,
  formatCount(requests),
  `${formatUsd(equivalentNano)}${unpricedRequests === 0 ? '' : ' + ?'}`,
  paidNano === null ? NOT_KNOWN : formatUsd(paidNano),
  paidNano === null ? NOT_KNOWN : formatUsd(equivalentNano - paidNano),
]

/** Returns a right-aligned column; the higher its rank, the sooner it is left out. One without a rank always stays. */
const right = (title: string, dropRank?: number): Column => ({
  title,
  align: 'right',
  ...(dropRank === undefined ? {} : { dropRank }),
})

/** Returns the table, a line for each way in which a provider is paid; the last one starts with `Total`. */
const paidLines = ({ rows, total }: PaidReport, width: number): readonly string[] => {
  const table = tableLines({
    columns: [
      { title: 'provider', shorten: 'end' },
      { title: 'paid by', shorten: 'end', minimum: 13 },
      right('reqs', 1),
      right('API-equiv.'),
      right('paid'),
      right('saved', 2),
    ],
    rows: rows.flatMap(({ provider, parts }) =>
      parts.map((part, index) => cells(index === 0 ? neutraliseLine(provider) : '', paidBy(part), part)),
    ),
    total: cells('Total', '', total),
    width,
  })
  return [table.head, ...table.rows, table.total ?? '']
}

/** Prints what is paid as a table, with what its columns mean. */
export const showPaid = async (report: PaidReport, terminal: Terminal): Promise<void> => {
  const say = async (sentence: string): Promise<void> => {
    for (const line of wrapLine(sentence, terminal.width)) await terminal.line(line)
  }
  await terminal.line()
  await say('Paid, beside the API-equivalent cost: what the same requests cost at API prices.')
  const [head = '', ...rest] = paidLines(report, terminal.width)
  await terminal.line(terminal.style('bold', head))
  for (const line of rest.slice(0, -1)) await terminal.line(line)
  await terminal.line(terminal.style('bold', rest.at(-1) ?? ''))
  if (report.total.paidNano === null)
    await say(`${NOT_KNOWN}: a subscription covers these requests, and is paid for others as well.`)
}
