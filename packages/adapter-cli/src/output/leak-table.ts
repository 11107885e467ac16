/** The report of `cairn insights`: a table of leaks, with advice about the most expensive below. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { Certainty, Leak, LeakExample, LeakReport } from '@cairn/core/insights'
import type { Context } from '../command.ts'
import { counted, formatCount, formatShare, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'
import { usageJson } from './json-output.ts'
import { shownIds } from './session-ids.ts'
import { totalCostCell } from './usage-table.ts'

/** Returns the report for `--json`, also with leaks that cost nothing: costs in USD, shares from 0 to 1. */
export const leakReportJson = ({ total, leaks, leakedNano }: LeakReport): Record<string, unknown> => ({
  total: usageJson(total),
  leakedUsd: usdFromNano(leakedNano),
  leaks: leaks.map(({ causes, ...leak }) => ({ ...costJson(leak), causes: causes.map(costJson) })),
})

/** Returns a copy of a leak, or of a cause, for JSON: `costUsd`, a number, for `costNano`, also in each example. */
const costJson = <T extends { readonly costNano: bigint; readonly examples: readonly LeakExample[] }>({
  costNano,
  examples,
  ...leak
}: T) => ({
  ...leak,
  costUsd: usdFromNano(costNano),
  examples: examples.map(({ costNano: cost, ...example }) => ({ ...example, costUsd: usdFromNano(cost) })),
})

const CERTAINTY: Readonly<Record<Certainty, string>> = {
  certain: 'certain',
  estimate: 'estimate',
  'upper-bound': 'at most',
}

/** Leaks below this share of the cost get no advice. */
const LEAST_SHARE = 0.01
/** Leaks that get advice. */
const MOST_ADVICE = 5

/**
 * Prints the table, its total, and advice with an example for the leaks that cost most: at most five, each of at least
 * 1 % of the cost. The dearest first. Looks up the sessions of the examples; rejects as the store does.
 */
export const showLeaks = async (report: LeakReport, engine: Engine, context: Context): Promise<void> => {
  const { terminal } = context
  for (const line of leakLines(report, terminal.width)) await terminal.line(line)
  const worst = report.leaks
    .filter(({ share }) => share >= LEAST_SHARE)
    .toSorted((left, right) => right.share - left.share)
  const examples = worst.flatMap((leak) => leak.examples.slice(0, 1))
  const ids = await shownIds(
    [...new Set(examples.map(({ sessionId }) => sessionId))].map((id) => ({
      id,
      externalId: id.slice(id.indexOf(':') + 1),
    })),
    engine.store.sessions,
  )
  for (const leak of worst.slice(0, MOST_ADVICE)) {
    await terminal.line()
    for (const line of wrapAfter(`${leak.title}: `, leak.advice, terminal.width)) await terminal.line(line)
    for (const line of causeLines(leak, terminal.width)) await terminal.line(line)
    const [example] = leak.examples
    if (example === undefined) continue
    const id = neutraliseLine(ids.get(example.sessionId) ?? example.sessionId)
    const dearest = `The most expensive: ${formatUsd(example.costNano)}, ${formatTime(example.at)}, cairn session show ${id}`
    for (const line of wrapAfter('  ', dearest, terminal.width)) await terminal.line(terminal.style('dim', line))
  }
}

/** Returns the lines of a leak's causes: cost and title of each, what to do below; empty if none is told apart. */
const causeLines = ({ causes }: Leak, width: number): readonly string[] =>
  causes.flatMap(({ title, certainty, advice, costNano, requests }) => {
    const sure = certainty === 'likely' ? ' (likely)' : ''
    const cost = `${formatUsd(costNano)}, ${counted(requests, 'request')}: `
    return [...wrapAfter('  ', `${cost}${title}${sure}`, width), ...wrapAfter('    ', advice, width)]
  })

/**
 * Returns the table within `width` columns: leaks that add up, their sum, then under headings the views and the
 * estimate of output that was not recorded; the last line starts with `Total`. Leaks that cost nothing are left out.
 */
const leakLines = ({ total, leaks, leakedNano }: LeakReport, width: number): readonly string[] => {
  const cost = Number(total.costNano)
  /** The cells of a leak. */
  const row = ({ title, costNano, share, certainty, requests }: Leak): readonly string[] => [
    title,
    formatUsd(costNano),
    formatShare(share),
    CERTAINTY[certainty],
    formatCount(requests),
  ]
  const shown = leaks.filter(({ costNano }) => costNano > 0n)
  const partition = shown.filter(({ view }) => !view)
  const views = shown.filter(({ view, kind }) => view && kind !== 'missing-output')
  const missing = shown.filter(({ kind }) => kind === 'missing-output')
  const sum = ['Together', formatUsd(leakedNano), formatShare(cost > 0 ? Number(leakedNano) / cost : 0), '', '']
  const {
    head,
    rows,
    total: last = '',
  } = tableLines({
    columns: [
      { title: 'leak', shorten: 'end', minimum: 16 },
      { title: 'cost', align: 'right' },
      { title: 'share', align: 'right' },
      { title: 'certainty', dropRank: 1 },
      { title: 'reqs', align: 'right', dropRank: 2 },
    ],
    rows: [...partition.map(row), sum, ...views.map(row), ...missing.map(row)],
    total: ['Total', totalCostCell(total)],
    width,
  })
  const added = partition.length + 1
  return [
    head,
    ...rows.slice(0, added),
    ...(views.length === 0 ? [] : wrapLine('Other views of the same money (not part of any sum):', width)),
    ...rows.slice(added, added + views.length),
    ...(missing.length === 0 ? [] : wrapLine('Estimated missing, on top of the total:', width)),
    ...rows.slice(added + views.length),
    last,
  ]
}
