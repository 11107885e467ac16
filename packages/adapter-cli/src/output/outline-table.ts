/** The outline of a session as a table and as JSON. */
import { allInputTokens, cacheWriteTokens, formatEstimate, formatUsd, usdFromNano } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'
import type { OutlineMark, OutlineSubagent, OutlineTurn, SessionOutline } from '@cairn/core/insights'
import { formatCount, formatDuration, formatShare } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { wrapLine } from '../terminal/wrap.ts'

/** Returns sums for `--json`, costs in USD. */
const sumsJson = (totals: UsageTotals): Record<string, number> => ({
  requests: totals.requests,
  inputTokens: totals.inputTokens,
  cacheReadTokens: totals.cacheReadTokens,
  cacheWriteTokens: cacheWriteTokens(totals),
  outputTokens: totals.outputTokens,
  costUsd: usdFromNano(totals.costNano),
  missingOutputCostUsd: usdFromNano(totals.missingOutputCostNano),
  unpricedRequests: totals.unpricedRequests,
  partialRequests: totals.partialRequests,
})

/** Returns a subagent of a turn for `--json`. */
const subagentJson = ({ totals, ...part }: OutlineSubagent): Record<string, unknown> => ({
  ...part,
  ...sumsJson(totals),
})

/** Returns a turn for `--json`; `own` is without its subagents. */
const turnJson = ({ totals, own, subagents, ...turn }: OutlineTurn): Record<string, unknown> => ({
  ...turn,
  ...sumsJson(totals),
  own: sumsJson(own),
  subagents: subagents.map(subagentJson),
})

/**
 * Returns the outline for `--json`: `{session, turns, total, marks}`. The sums of a turn include its subagents; `own`
 * is the main conversation alone. A mark is before the request with its number, or after the last one (`null`).
 */
export const outlineJson = (
  session: string,
  { turns, total, marks, requests }: SessionOutline,
): Record<string, unknown> => ({
  session,
  turns: turns.map(turnJson),
  total: sumsJson(total),
  marks: marks.map(({ before, rewrittenNano, ...mark }) => ({
    ...mark,
    beforeRequest: requests[before]?.number ?? null,
    rewrittenUsd: usdFromNano(rewrittenNano),
  })),
})

/** A cost, or "unpriced" if no request has a price. */
const costCell = ({ requests, unpricedRequests, costNano }: UsageTotals): string =>
  requests > 0 && unpricedRequests === requests ? 'unpriced' : formatUsd(costNano)

/**
 * Returns the cells of a row: number, name, cost, share, tokens of input and output together, duration (a dash if not
 * known), tool calls, errors ('' for none).
 */
const cells = (
  head: readonly [number: string, name: string],
  { totals, durationMs, toolCalls, errors }: Pick<OutlineTurn, 'totals' | 'durationMs' | 'toolCalls' | 'errors'>,
  share: string,
): readonly string[] => [
  ...head,
  costCell(totals),
  share,
  formatCount(allInputTokens(totals) + totals.outputTokens),
  durationMs === null ? '–' : formatDuration(durationMs),
  formatCount(toolCalls),
  errors === 0 ? '' : formatCount(errors),
]

/** Returns the prompt of a turn; a placeholder if it has none. */
const promptCell = ({ number, text }: OutlineTurn): string => {
  if (text !== '') return neutraliseLine(text)
  return number === 0 ? '(before the first prompt)' : '(no text)'
}

/** Returns the row of a turn and those of its subagents. */
const rowsOf = (turn: OutlineTurn): readonly (readonly string[])[] => [
  cells([String(turn.number), promptCell(turn)], turn, formatShare(turn.share)),
  ...turn.subagents.map((part) => cells(['', `└ subagent ${neutraliseLine(part.name)}`], part, '')),
]

const COLUMNS = [
  { title: 'turn', align: 'right' },
  { title: 'prompt', shorten: 'end', minimum: 16 },
  { title: 'cost', align: 'right' },
  { title: 'share', align: 'right' },
  { title: 'tokens', align: 'right', dropRank: 1 },
  { title: 'took', align: 'right', dropRank: 2 },
  { title: 'calls', align: 'right', dropRank: 3 },
  { title: 'errors', align: 'right', dropRank: 4 },
] as const

const MARK_NAMES: readonly (readonly [OutlineMark['kind'], string])[] = [
  ['compaction', 'compactions'],
  ['cleared-results', 'clearings of old results'],
  ['rewrite', 'rewrites by a policy'],
  ['truncation', 'truncations'],
  ['pause', 'pauses that lost the cache'],
  ['cache-break', 'other losses of the cache'],
  ['model', 'changes of the model'],
]

/**
 * Returns how often the context was changed or the provider's cache lost, by kind (compactions, rewrites, pauses, …),
 * and in brackets what writing it to the cache again cost, in sentences; undefined without any.
 */
const marksText = (marks: readonly OutlineMark[]): string | undefined => {
  const parts = MARK_NAMES.flatMap(([kind, name]) => {
    const found = marks.filter((mark) => mark.kind === kind)
    const cost = found.reduce((sum, { rewrittenNano }) => sum + rewrittenNano, 0n)
    const paid = cost === 0n ? '' : ` (${formatUsd(cost)})`
    return found.length === 0 ? [] : [`${name}: ${formatCount(found.length)}${paid}`]
  })
  if (parts.length === 0) return undefined
  const isPaid = marks.some(({ rewrittenNano }) => rewrittenNano > 0n)
  return `Context: ${parts.join(', ')}.${isPaid ? ' In brackets what writing it to the cache again cost beyond reading it.' : ''}`
}

/**
 * Returns the lines of the outline within `width` columns: a row per turn with its subagents below it, the total, and
 * what happened to the cache.
 */
export const outlineLines = ({ turns, total, marks }: SessionOutline, width: number): readonly string[] => {
  if (turns.length === 0) return ['Nothing was said in this session, and no request was recorded.', 'Total $0.00']
  const {
    head,
    rows,
    total: totalLine,
  } = tableLines({
    columns: COLUMNS,
    rows: turns.flatMap(rowsOf),
    total: ['Total', '', costCell(total), '', formatCount(allInputTokens(total) + total.outputTokens), '', '', ''],
    width,
  })
  const estimate = formatEstimate(total.missingOutputCostNano)
  const notes = [
    marksText(marks),
    estimate === undefined
      ? undefined
      : `Output that was not recorded: ${estimate}, an estimate that no total includes.`,
  ].filter((note) => note !== undefined)
  return [
    head,
    ...rows,
    ...(totalLine === undefined ? [] : [totalLine]),
    ...notes.flatMap((note) => wrapLine(note, width)),
  ]
}
