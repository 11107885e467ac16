/** What an export to a collector sent, or would send. */
import { formatUsd, mapTokens, tokenCount, usdFromNano } from '@cairn/core'
import type { ExportReport } from '@cairn/core/node/telemetry-export'
import { counted, formatCount, formatDuration } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { sayWrapped } from '../terminal/say-wrapped.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The tokens of all exported requests, by class. */
const tokensOf = ({ requests }: ExportReport) =>
  mapTokens((field) => requests.reduce((sum, fact) => sum + tokenCount(fact, field), 0))

/** The cost of all exported requests that have one, in nano-USD. */
const costOf = ({ requests }: ExportReport): bigint =>
  requests.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n)

/**
 * Returns a report of an export for `--json`, with tokens and cost named as in `cairn usage`. Requests without a price
 * are not in the cost.
 */
export const exportJson = (report: ExportReport): Record<string, unknown> => ({
  sessions: report.sessions,
  requests: report.requests.length,
  ...tokensOf(report),
  costUsd: usdFromNano(costOf(report)),
  unpricedRequests: report.requests.filter(({ costNano }) => costNano === null).length,
  spans: report.spans,
  waiting: report.waiting,
  withoutTime: report.withoutTime,
  rejected: { spans: report.rejectedSpans, points: report.rejectedPoints, why: [...report.why] },
})

/** Prints what was sent, and what was not or was rejected. What was rejected is on standard error. */
export const showExport = async (
  report: ExportReport,
  server: string,
  ms: number,
  terminal: Terminal,
): Promise<void> => {
  for (const sentence of leftOut(report)) await sayWrapped(sentence, terminal)
  const rejected = [
    ...(report.rejectedSpans > 0 ? [counted(report.rejectedSpans, 'span')] : []),
    ...(report.rejectedPoints > 0 ? [counted(report.rejectedPoints, 'data point')] : []),
  ]
  if (rejected.length > 0 || report.why.size > 0) {
    const why = [...report.why].map(neutraliseLine).join(' ')
    const what = rejected.length > 0 ? `The collector did not take ${rejected.join(' and ')}` : 'The collector says'
    terminal.note(`${what}${why === '' ? '.' : `: ${why}`}`)
  }
  await sayWrapped(`Total sent to ${server}: ${sumOf(report)} in ${formatDuration(ms)}.`, terminal)
}

/** Prints what would be sent; `server` is undefined if no collector is set. */
export const showExportPreview = async (
  report: ExportReport,
  server: string | undefined,
  terminal: Terminal,
): Promise<void> => {
  for (const sentence of leftOut(report)) await sayWrapped(sentence, terminal)
  const to = server === undefined ? '; no collector is named yet' : ` to ${server}`
  await sayWrapped(`Total to send${to}: ${sumOf(report)}. Nothing was sent; --json shows every span.`, terminal)
}

/**
 * Returns what was exported, as the end of a sentence: requests, sessions, tokens (reasoning, a part of the output, not
 * again), cost and spans.
 */
const sumOf = (report: ExportReport): string => {
  const tokens = Object.entries(tokensOf(report)).reduce(
    (sum, [field, count]) => (field === 'reasoningTokens' ? sum : sum + count),
    0,
  )
  return `${counted(report.requests.length, 'request')} of ${counted(report.sessions, 'session')}, ${formatCount(tokens)} tokens, ${formatUsd(costOf(report))}, as ${counted(report.spans, 'span')}`
}

/**
 * Returns sentences about requests that were not sent: those that may still change as their agent is at work, and those
 * without a time. Empty if there are none.
 */
const leftOut = ({ waiting, withoutTime }: ExportReport): readonly string[] => [
  ...(waiting > 0
    ? [`${counted(waiting, 'request')} may still change, as the agent is at work: the next export sends what came.`]
    : []),
  ...(withoutTime > 0
    ? [
        `Nobody knows when ${counted(withoutTime, 'request')} ${withoutTime === 1 ? 'was made: it' : 'were made: they'} can't be sent.`,
      ]
    : []),
]
